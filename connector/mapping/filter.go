package mapping

import (
	"fmt"

	"rowmark/connector/decode"
	"rowmark/connector/filter"
)

// filter compiles a mapping's filter.
func (c *compiler) filter(r *rule, s *Spec) {
	if s.Filter == "" {
		return
	}
	f, err := filter.Compile(s.Filter)
	if err != nil {
		c.bad(".filter", s.Filter, "%v", err)
		return
	}
	if err := f.FailsWithoutValue(); err != nil && r.deleteRow {
		c.bad(".filter", s.Filter, "for a tombstone, whose value is null, it fails (%v): begin with value == null || or value != null &&, or set on_tombstone: ignore", err)
	}
	r.filter = f
	r.keyArrays, r.valueArrays = true, true
}

// passes says whether the rule takes the row that the worker is at.
func (w *worker) passes(r *rule) (bool, error) {
	if r.filter == nil {
		return true, nil
	}
	w.input = filter.Input{Record: &w.rec, Key: w.fields.Key, Value: w.image}
	if r.events != nil {
		w.input.Before, w.input.Event = w.change.before, w.fields.Value
	}
	if known := w.change.unavailable; known != nil {
		w.input.Left = func(v decode.Value) bool { return known.is(w.readable(v)) }
	}
	yes, err := r.filter.Passes(&w.input)
	if err != nil {
		return false, fmt.Errorf("evaluating filter: %w", err)
	}
	return yes, nil
}
