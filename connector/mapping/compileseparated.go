package mapping

import (
	"fmt"
	"slices"

	"rowmark/connector/decode"
)

// separated makes the format csv or tsv.
func (c *compiler) separated(key string, f *Format) decode.Format {
	out := &decode.Separated{Word: f.Format, Null: f.Null}
	if len(f.Columns) == 0 {
		c.bad(key+".columns", "", "%s needs the names of its fields, as in columns: [id, name]", f.Format)
	}
	for i, name := range f.Columns {
		if name == "" || slices.Contains(f.Columns[:i], name) {
			c.bad(fmt.Sprintf("%s.columns[%d]", key, i), name, "a field needs a name of its own")
		}
		out.Columns = append(out.Columns, []byte(name))
	}
	delimiter, quote := ",", `"`
	if f.Format == "tsv" {
		delimiter, quote = "\t", "none"
	}
	setDefault(&f.Delimiter, delimiter)
	setDefault(&f.Quote, quote)
	out.Delimiter = c.character(key+".delimiter", f.Delimiter)
	if f.Quote != "none" {
		out.Quote = c.character(key+".quote", f.Quote)
	}
	if out.Quote == out.Delimiter && out.Quote != 0 {
		c.bad(key+".quote", f.Quote, "it is the delimiter, too")
	}
	return out
}

func setDefault(s *string, text string) {
	if *s == "" {
		*s = text
	}
}

func (c *compiler) character(key, s string) byte {
	if len(s) == 1 && s[0] < 0x80 && s[0] != '\n' && s[0] != '\r' && s[0] != 0 {
		return s[0]
	}
	c.bad(key, s, "one ASCII character, and no line end")
	return 0
}

// notSeparated refuses the settings of csv and tsv elsewhere.
func (c *compiler) notSeparated(key string, f *Format) {
	for _, x := range []struct {
		name string
		set  bool
	}{{"columns", f.Columns != nil}, {"delimiter", f.Delimiter != ""}, {"quote", f.Quote != ""}, {"null", f.Null != nil}} {
		if x.set {
			c.bad(key+"."+x.name, "", "it belongs to format: csv or tsv")
		}
	}
}
