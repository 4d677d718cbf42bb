package decode

import "errors"

var errCanal = errors.New("it is no flat message of Canal: it has no type")

// canalOthers are the types of Canal's messages that change no row.
var canalOthers = map[string]bool{
	"CREATE": true, "ALTER": true, "ERASE": true, "QUERY": true, "RENAME": true, "CINDEX": true, "DINDEX": true,
	"GTID": true, "XACOMMIT": true, "XAROLLBACK": true, "MHEARTBEAT": true,
}

// Canal reads Canal's flat messages: several rows in data, and of updates the changed fields of each in old. They need
// a format that keeps arrays.
func Canal(out []Change, v Value) ([]Change, error) {
	if v.Kind != Object {
		return out, errNoObject
	}
	kind, typ := Inserted, v.text("type")
	switch string(typ) {
	case "":
		return out, errCanal
	case "INSERT":
	case "UPDATE":
		kind = Updated
	case "DELETE":
		kind = Deleted
	case "TRUNCATE":
		return append(out, Change{Kind: Truncated}), nil
	default:
		if v.member("isDdl").True || canalOthers[string(typ)] {
			return out, nil
		}
		return out, errors.New("its type is none of Canal's")
	}
	data, old := v.member("data"), v.member("old")
	if data.Kind != Array {
		return out, errors.New("its data is no list of rows")
	}
	t := data.tree
	was, wasEnd := int32(0), int32(0)
	if old.Kind == Array {
		was, wasEnd = old.node+1, t.nodes[old.node].end
	}
	for i := data.node + 1; i < t.nodes[data.node].end; i = t.nodes[i].end {
		if t.nodes[i].kind != Object {
			return out, errors.New("its data is no list of rows")
		}
		c := Change{Kind: kind, After: t.value(i)}
		switch {
		case kind == Deleted:
			c.After, c.Before = Value{}, c.After
		case kind == Updated && was < wasEnd:
			c.Before, c.Partial = t.value(was), true
			was = t.nodes[was].end
		}
		out = append(out, c)
	}
	return out, nil
}
