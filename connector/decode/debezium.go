package decode

import "errors"

var (
	errNoChange = errors.New("it is no change event: it has no op")
	errWrapped  = errors.New("it is no change event, but schema and payload: set format: connect")
	errOp       = errors.New("its op is none of c, r, u, d, t and m")
	errAfter    = errors.New("it has no row after the change")
)

// Debezium reads Debezium's envelope: before, after and op. Messages of the log (op m), heartbeats, changes of schema
// and borders of transactions are no changes of a row.
func Debezium(out []Change, v Value) ([]Change, error) {
	if v.Kind != Object {
		return out, errNoObject
	}
	op := v.text("op")
	if op == nil {
		return out, noEnvelope(v)
	}
	c := Change{Before: v.member("before"), After: v.member("after")}
	switch string(op) {
	case "c", "r":
		c.Kind, c.Before = Inserted, Value{}
	case "u":
		c.Kind = Updated
	case "d":
		c.Kind, c.After = Deleted, Value{}
	case "t":
		c = Change{Kind: Truncated}
	case "m":
		return out, nil
	default:
		return out, errOp
	}
	if c.Kind <= Updated && c.After.Kind != Object {
		return out, errAfter
	}
	return append(out, c), nil
}

// noEnvelope says why an object without op is one that Debezium writes, or none.
func noEnvelope(v Value) error {
	switch {
	case v.has("databaseName") && (v.has("ddl") || v.has("tableChanges")): // change of schema
		return nil
	case v.isBorder() && v.has("id") && (v.has("event_count") || v.has("ts_ms")): // of a transaction
		return nil
	case v.has("ts_ms") && v.tree.nodes[v.node].end == v.node+2: // heartbeat: nothing else in it
		return nil
	case v.has("schema") && v.has("payload"):
		return errWrapped
	}
	return errNoChange
}

// isBorder says whether the status is that of a transaction's begin or end. Rows of tables have one, too.
func (v Value) isBorder() bool {
	status := v.text("status")
	return string(status) == "BEGIN" || string(status) == "END"
}

// DebeziumFlat reads rows as Debezium's transformation ExtractNewRecordState leaves them, with delete.handling rewrite:
// the row itself, and __deleted; and __op where add.fields has op.
func DebeziumFlat(out []Change, v Value) ([]Change, error) {
	if v.Kind != Object {
		return out, errNoObject
	}
	op, deleted := v.text("__op"), v.member("__deleted")
	switch {
	case string(op) == "t":
		return append(out, Change{Kind: Truncated}), nil
	case string(op) == "m":
		return out, nil
	case deleted.True || deleted.Kind == String && string(deleted.Text) == "true" || string(op) == "d":
		return append(out, Change{Kind: Deleted, Before: v}), nil
	case string(op) == "u":
		return append(out, Change{Kind: Updated, After: v}), nil
	}
	return append(out, Change{Kind: Inserted, After: v}), nil
}
