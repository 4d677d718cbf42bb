package mapping

import (
	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// events is how a rule follows change events.
type events struct {
	read         decode.Events
	deleteRow    bool // on_delete
	passTruncate bool // on_truncate
	unavailable  *unavailable
}

var eventForms = map[string]decode.Events{
	"debezium": decode.Debezium, "debezium-flat": decode.DebeziumFlat, "canal": decode.Canal, "maxwell": decode.Maxwell,
}

// debeziumPlaceholder is what Debezium writes unless its unavailable.value.placeholder says otherwise.
const debeziumPlaceholder = "__debezium_unavailable_value"

// events settles whether a value is a row or tells of changes of rows.
func (c *compiler) events(r *rule, s *Spec) {
	if s.Key.Events != "" || s.Key.Unavailable != "" {
		c.bad(".key.events", s.Key.Events, "change events are values")
	}
	v := &s.Value
	if v.Events == "" {
		c.onlyEvents(".value.unavailable", v.Unavailable)
		c.onlyEvents(".on_delete", s.OnDelete)
		c.onlyEvents(".on_truncate", s.OnTruncate)
		return
	}
	read, ok := eventForms[v.Events]
	switch {
	case !ok:
		c.bad(".value.events", v.Events, "one of debezium, debezium-flat, canal, maxwell")
	case !r.value.HasFields():
		c.bad(".value.events", v.Events, "a value of format %s has no fields, so it tells of no change", r.value)
	}
	c.oneOf(".on_delete", &s.OnDelete, "delete-row", "ignore")
	c.oneOf(".on_truncate", &s.OnTruncate, "fail", "ignore")
	r.events = &events{read: read, deleteRow: s.OnDelete == "delete-row", passTruncate: s.OnTruncate == "ignore"}
	switch v.Events {
	case "debezium", "debezium-flat":
		setDefault(&v.Unavailable, debeziumPlaceholder)
		r.events.unavailable = newUnavailable(v.Unavailable)
	default:
		if v.Unavailable != "" {
			c.bad(".value.unavailable", v.Unavailable, "it belongs to events: debezium or debezium-flat")
		}
	}
}

func (c *compiler) onlyEvents(key, value string) {
	if value != "" {
		c.bad(key, value, "it belongs to change events, as in value: {format: json, events: debezium}")
	}
}

// keyRefs notes what a row key is made of.
func (c *compiler) keyRefs(r *rule) {
	for _, ref := range r.row.Refs() {
		c.depth(".row_key", &ref, r)
		switch ref.Root {
		case rowkey.RootValue:
			r.keyFields = append(r.keyFields, ref)
		case rowkey.RootBefore:
			c.bad(".row_key", ref.String(), "a row key is made of value: of an update that changes it, the old row is found by itself")
		}
	}
}
