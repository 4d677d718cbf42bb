package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rowmark/rowkey"
)

// template is text with fields in it, as in day_${value.date}.
type template struct {
	text    string
	parts   []templatePart
	empties bool // an empty field is fine
}

// templatePart is a literal, or a field if ref is set, or a group of the topic's pattern if group is.
type templatePart struct {
	literal  []byte
	ref      *rowkey.Ref
	group    int
	steps    []step
	fallback []byte // stands for what is missing, null or empty; nil: none
}

var errUnclosed = errors.New("a field in a template stands between ${ and }, as in day_${value.date}")

// hasFields says whether a text is more than a literal.
func hasFields(text string) bool { return strings.Contains(text, "${") }

// parseTemplate reads a template. $${ is a literal ${.
func parseTemplate(text string) (*template, error) {
	t := &template{text: text}
	for rest := text; rest != ""; {
		before, after, field := strings.Cut(rest, "${")
		if field && strings.HasSuffix(before, "$") {
			t.literal(before[:len(before)-1] + "${")
			rest = after
			continue
		}
		t.literal(before)
		if !field {
			break
		}
		inner, next, closed := strings.Cut(after, "}")
		if !closed {
			return nil, errUnclosed
		}
		part, err := parseTemplateField(inner)
		if err != nil {
			return nil, fmt.Errorf("${%s}: %w", inner, err)
		}
		t.parts = append(t.parts, part)
		rest = next
	}
	return t, nil
}

// literal adds text, to the literal before it if there is one.
func (t *template) literal(text string) {
	if text == "" {
		return
	}
	if n := len(t.parts); n > 0 && t.parts[n-1].fixed() {
		t.parts[n-1].literal = append(t.parts[n-1].literal, text...)
		return
	}
	t.parts = append(t.parts, templatePart{literal: []byte(text)})
}

func (p *templatePart) fixed() bool { return p.ref == nil && p.group == 0 }

// String names the field as the YAML does.
func (p *templatePart) String() string {
	if p.ref == nil {
		return strconv.Itoa(p.group)
	}
	return p.ref.String()
}

func parseTemplateField(text string) (templatePart, error) {
	name, steps, more := strings.Cut(text, "|")
	var p templatePart
	if n, err := strconv.ParseUint(name, 10, 8); err == nil && n > 0 {
		p.group = int(n)
	} else {
		ref, err := rowkey.ParseRef(name)
		if err != nil {
			return templatePart{}, err
		}
		p.ref = &ref
	}
	for more {
		var step string
		step, steps, more = strings.Cut(steps, "|")
		if err := p.step(step); err != nil {
			return templatePart{}, err
		}
	}
	return p, nil
}

// step adds one of what stands behind a field, as in value.name|trim|lower|default:none.
func (p *templatePart) step(text string) error {
	word, argument, _ := strings.Cut(text, ":")
	switch {
	case word == "default":
		p.fallback = []byte(argument)
	case word == "date":
		form, zone, _ := strings.Cut(argument, "@")
		step, _, err := newDate(Date{To: form, Zone: zone})
		if err != nil {
			return err
		}
		p.steps = append(p.steps, step)
	case text == "trim":
		p.steps = append(p.steps, trim{})
	case text == "upper":
		p.steps = append(p.steps, upper)
	case text == "lower":
		p.steps = append(p.steps, lower)
	default:
		return fmt.Errorf("%s is none of what may follow a field: trim, upper, lower, date:LAYOUT, date:LAYOUT@ZONE, default:TEXT", word)
	}
	return nil
}

// begin and end are the literals at a template's two ends: all that is known of what it makes before a record comes.
func (t *template) begin() []byte { return t.parts[0].literal }
func (t *template) end() []byte   { return t.parts[len(t.parts)-1].literal }

// may says whether the template may make a text.
func (t *template) may(text []byte) bool {
	return len(text) >= len(t.begin())+len(t.end()) && bytes.HasPrefix(text, t.begin()) && bytes.HasSuffix(text, t.end())
}

// meets says whether two templates may make one text.
func (t *template) meets(other *template) bool {
	return endsMeet(t.begin(), t.end(), other.begin(), other.end())
}

var errEmptyField = errors.New("the field is empty")

// part gives the value of a field in a template.
func (w *worker) part(p *templatePart) rowkey.Value {
	switch {
	case p.ref != nil:
		return w.lookup(p.ref)
	case p.group < len(w.groups):
		return rowkey.Value{Kind: rowkey.Text, Text: []byte(w.groups[p.group])}
	}
	return rowkey.Value{}
}

// fill gives a template's text for the record.
func (w *worker) fill(t *template) ([]byte, error) {
	w.line = w.line[:0] // steps write to buf meanwhile
	for i := range t.parts {
		p := &t.parts[i]
		if p.fixed() {
			w.line = append(w.line, p.literal...)
			continue
		}
		v, err := w.through(p.steps, w.part(p), p)
		if err != nil {
			return nil, err
		}
		if p.fallback != nil && v.Empty() {
			w.line = append(w.line, p.fallback...)
			continue
		}
		before := len(w.line)
		w.line, err = rowkey.String.Append(w.line, v)
		if err == nil && len(w.line) == before && !t.empties {
			err = errEmptyField
		}
		if err != nil {
			return nil, fmt.Errorf("filling in %s of %s: %w", p, t.text, err)
		}
	}
	start := len(w.buf)
	w.buf = append(w.buf, w.line...)
	return w.buf[start:len(w.buf):len(w.buf)], nil
}
