package decode

import "errors"

// maxwellOthers are the types of Maxwell's messages that change no row.
var maxwellOthers = map[string]bool{
	"bootstrap-start": true, "bootstrap-complete": true, "heartbeat": true,
	"table-create": true, "table-alter": true, "table-drop": true,
	"database-create": true, "database-alter": true, "database-drop": true,
}

// Maxwell reads the messages of Maxwell's daemon: one row in data, and of updates the changed fields in old.
func Maxwell(out []Change, v Value) ([]Change, error) {
	if v.Kind != Object {
		return out, errNoObject
	}
	c := Change{After: v.member("data")}
	switch typ := v.text("type"); string(typ) {
	case "":
		return out, errors.New("it is no message of Maxwell: it has no type")
	case "insert", "bootstrap-insert":
	case "update":
		c.Kind, c.Before, c.Partial = Updated, v.member("old"), true
	case "delete":
		c.Kind, c.Before, c.After = Deleted, c.After, Value{}
	default:
		if maxwellOthers[string(typ)] {
			return out, nil
		}
		return out, errors.New("its type is none of Maxwell's")
	}
	if row := v.member("data"); row.Kind != Object {
		return out, errors.New("its data is no row")
	}
	return append(out, c), nil
}
