package mapping

import (
	"fmt"
	"slices"

	"rowmark/rowkey"
)

type compiler struct {
	problems []Problem
	opt      Options
	at       string
	spec     *Spec                 // the mapping at hand
	known    []*Attributes         // of columns before, so that equal ones are one
	formats  map[string]madeFormat // by what their entries say
}

func (c *compiler) bad(key, value, text string, args ...any) {
	c.problems = append(c.problems, Problem{Path: c.at + key, Value: value, Text: fmt.Sprintf(text, args...)})
}

// oneOf checks a word against those allowed; the first of them is the default.
func (c *compiler) oneOf(key string, value *string, allowed ...string) {
	if *value == "" {
		*value = allowed[0]
	}
	if !slices.Contains(allowed, *value) {
		c.bad(key, *value, "one of %s", list(allowed))
	}
}

func list(words []string) string {
	s := words[0]
	for _, w := range words[1:] {
		s += ", " + w
	}
	return s
}

// Compile checks the specs, one by one and against each other, and gives a Set, or every problem found.
func Compile(specs []Spec, opt Options) (*Set, []Problem) {
	c := &compiler{opt: opt, formats: map[string]madeFormat{}}
	if len(specs) == 0 {
		c.bad("", "", "there is nothing to do: at least one mapping is needed")
	}
	rules := make([]*rule, len(specs))
	for i := range specs {
		c.at = fmt.Sprintf("[%d]", i)
		rules[i] = c.rule(specs[i])
	}
	c.clashes(rules)
	letters := c.letters(rules)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	keepArrays(rules)
	return newSet(rules, letters), nil
}

func (c *compiler) rule(s Spec) *rule {
	r := &rule{}
	c.spec = &s
	r.topics = c.topicList(s.Topics)
	r.key = c.format(".key", &s.Key)
	r.value = c.format(".value", &s.Value)
	c.events(r, &s)
	c.route(r, &s)
	c.oneOf(".on_null", &s.OnNull, "skip", "delete", "empty")
	c.oneOf(".order", &s.Order, "log", "time")
	r.logOrder = s.Order == "log"
	c.errorPolicy(r, &s)
	c.time(r, &s)
	c.ttl(".ttl", s.TTL)
	c.visibility(".visibility", s.Visibility)

	row, problems := rowkey.Compile(s.RowKey)
	for _, p := range problems {
		c.bad(".row_key"+p.Path, p.Value, "%s", p.Text)
	}
	r.row = row
	if row != nil {
		c.keyRefs(r)
	}
	r.splits = c.splits(&s, row)
	if len(s.Columns) == 0 {
		c.bad(".columns", "", "a mapping needs at least one column")
	}
	r.columns = make([]column, 0, len(s.Columns))
	for i := range s.Columns {
		r.columns = append(r.columns, c.columns(i, &s, r)...)
	}
	c.tombstone(r, &s)
	c.filter(r, &s)
	r.spec = s
	return r
}

func (c *compiler) topicList(names []string) []topic {
	if len(names) == 0 {
		c.bad(".topics", "", "a mapping needs at least one topic, as in topics: [orders]")
	}
	var out []topic
	for i, name := range names {
		t, err := parseTopic(name)
		if err != nil {
			c.bad(fmt.Sprintf(".topics[%d]", i), name, "%v", err)
			continue
		}
		out = append(out, t)
	}
	return out
}

func (c *compiler) errorPolicy(r *rule, s *Spec) {
	c.oneOf(".on_error", &s.OnError, "fail", "dead-letter", "skip")
	switch s.OnError {
	case "dead-letter":
		r.onError = OnErrorDeadLetter
	case "skip":
		r.onError = OnErrorSkip
	}
}

// depth refuses a path into something that has no fields.
func (c *compiler) depth(key string, ref *rowkey.Ref, r *rule) {
	of := ref.Root == rowkey.RootBefore || ref.Root == rowkey.RootEvent
	switch {
	case of && r.events == nil:
		c.onlyEvents(key, ref.String())
	case len(ref.Path) == 0:
	case ref.Root == rowkey.RootValue && !r.value.HasFields():
		c.bad(key, ref.String(), "a value of format %s has no fields", r.value)
	case ref.Root == rowkey.RootKey && !r.key.HasFields():
		c.bad(key, ref.String(), "a key of format %s has no fields", r.key)
	}
}

func (c *compiler) family(key, name string) {
	if err := CheckFamily(name); err != nil {
		c.bad(key, name, "%v", err)
	} else if name == c.opt.MarkFamily {
		c.bad(key, name, "this is the mark family, which holds no data")
	}
}
