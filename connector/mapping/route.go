package mapping

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rowmark/rowkey"
)

// route is how a rule's table is named, if not by a fixed name.
type route struct {
	text   *template
	record bool // the record has a say in it, and not its topic alone
	// allowed are the tables that may come out, by what the template makes; nil: any.
	allowed map[string]string
}

var errRoute = errors.New("the record goes to a table that is none of those in tables")

// route compiles the name of a mapping's table.
func (c *compiler) route(r *rule, s *Spec) {
	if !hasFields(s.Table) {
		if s.Tables != nil {
			c.bad(".tables", "", `it belongs to a table that is named by fields, as in table: "shop:${value.type}"`)
		}
		if name, err := TableName(s.Table); err != nil {
			c.bad(".table", s.Table, "%v", err)
		} else {
			s.Table = name
		}
		return
	}
	text, err := parseTemplate(s.Table)
	if err != nil {
		c.bad(".table", s.Table, "%v", err)
		return
	}
	r.route = &route{text: text, allowed: c.allowed(s)}
	faults := len(c.problems)
	for i := range text.parts {
		c.routePart(r, s, &text.parts[i])
	}
	if r.route.record && len(s.Tables) == 0 {
		c.bad(".tables", "", "a table that is named by the record needs the list of the tables that may come out, so that they are checked at the start")
		return
	}
	for _, t := range r.topics {
		if t.re != nil || r.route.record || len(c.problems) > faults {
			continue
		}
		if _, err := r.forTopic(t.name); err != nil {
			c.bad(".table", s.Table, "for the topic %s: %v", t.name, err)
		}
	}
}

// allowed reads the list of tables.
func (c *compiler) allowed(s *Spec) map[string]string {
	if s.Tables == nil {
		return nil
	}
	out := map[string]string{}
	full := make([]string, len(s.Tables))
	for i, text := range s.Tables {
		name, err := TableName(text)
		if err != nil {
			c.bad(fmt.Sprintf(".tables[%d]", i), text, "%v", err)
		}
		full[i], out[name] = name, name
		if short, ok := strings.CutPrefix(name, "default:"); ok {
			out[short] = name
		}
	}
	s.Tables = full
	return out
}

func (c *compiler) routePart(r *rule, s *Spec, p *templatePart) {
	switch {
	case p.group > 0:
		for _, t := range r.topics {
			if t.re == nil || t.re.NumSubexp() < p.group {
				c.bad(".table", s.Table, "${%d} is part %d in parentheses of a topic's pattern, and %s has no such part", p.group, p.group, t.name)
			}
		}
	case p.ref != nil && p.ref.Root != rowkey.RootTopic:
		r.route.record = true
		c.depth(".table", p.ref, r)
		if r.events != nil && r.events.deleteRow && (p.ref.Root == rowkey.RootValue || p.ref.Root == rowkey.RootBefore) {
			c.bad(".table", s.Table, "%s may change with a row, whose old table would keep it: name the table by the event, as in ${event.table}, or set on_delete: ignore", p.ref)
		}
	}
}

// forTopic gives the rule as it is for a topic: what the topic tells of its table is filled in.
func (r *rule) forTopic(name string) (*rule, error) {
	if r.route == nil {
		return r, nil
	}
	w := &worker{topic: []byte(name)}
	if i := slices.IndexFunc(r.topics, func(t topic) bool { return t.matches(name) }); i >= 0 && r.topics[i].re != nil {
		w.groups = r.topics[i].re.FindStringSubmatch(name)
	}
	out := *r
	if r.route.record {
		route := *r.route
		var err error
		if route.text, err = w.fillTopic(route.text); err != nil {
			return nil, err
		}
		out.route = &route
		return &out, nil
	}
	text, err := w.fill(r.route.text)
	if err != nil {
		return nil, err
	}
	if out.spec.Table, err = r.route.table(text); err != nil {
		return nil, fmt.Errorf("naming table %s: %w", text, err)
	}
	out.route = nil
	return &out, nil
}

// fillTopic fills in what a topic tells of a template, and leaves what the record does.
func (w *worker) fillTopic(t *template) (*template, error) {
	out := &template{text: t.text}
	for i := range t.parts {
		p := &t.parts[i]
		if p.fixed() || p.ref != nil && p.ref.Root != rowkey.RootTopic {
			out.parts = append(out.parts, *p)
			continue
		}
		text, err := w.fill(&template{text: t.text, parts: t.parts[i : i+1]})
		if err != nil {
			return nil, err
		}
		out.literal(string(text))
	}
	return out, nil
}

// table gives the full name of the table that the template made.
func (x *route) table(text []byte) (string, error) {
	if x.allowed == nil {
		return TableName(string(text))
	}
	if name, ok := x.allowed[string(text)]; ok {
		return name, nil
	}
	return "", errRoute
}

// route names the table of a row.
func (w *worker) route(r *rule) error {
	w.table = r.spec.Table
	if r.route == nil {
		return nil
	}
	text, err := w.fill(r.route.text)
	if err == nil {
		w.table, err = r.route.table(text)
	}
	return err
}

// tables gives the tables that the rule may write to; open says that there may be more.
func (r *rule) tables() (names []string, open bool) {
	switch {
	case r.route == nil:
		return []string{r.spec.Table}, false
	case r.route.allowed != nil:
		return slices.Compact(slices.Sorted(maps.Values(r.route.allowed))), false
	}
	return nil, true
}

// mayWrite says whether the rule may write to a table.
func (r *rule) mayWrite(table string) bool {
	names, open := r.tables()
	return open && (r.route.text.may([]byte(table)) || r.route.text.may([]byte(strings.TrimPrefix(table, "default:")))) || slices.Contains(names, table)
}

// shares says whether two rules may write to one table.
func (r *rule) shares(other *rule) bool {
	names, open := r.tables()
	if r == other || open && r.openShares(other) {
		return true
	}
	return slices.ContainsFunc(names, other.mayWrite)
}

func (r *rule) openShares(other *rule) bool {
	names, open := other.tables()
	return open && r.route.text.meets(other.route.text) || slices.ContainsFunc(names, r.mayWrite)
}
