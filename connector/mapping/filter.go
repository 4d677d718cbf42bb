package mapping

import (
	"fmt"

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

// passes says whether the rule takes the decoded record.
func (w *worker) passes(r *rule) (bool, error) {
	if r.filter == nil {
		return true, nil
	}
	w.input = filter.Input{Record: &w.rec, Fields: &w.fields}
	yes, err := r.filter.Passes(&w.input)
	if err != nil {
		return false, fmt.Errorf("evaluating filter: %w", err)
	}
	return yes, nil
}
