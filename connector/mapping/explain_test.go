package mapping

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/rowkey"
)

// A row key is explained by the mapping that can have made it, and not at all where two can.
func TestExplain(t *testing.T) {
	columns := 0
	spec := func(table string, key ...rowkey.Part) Spec {
		columns++
		return edit(func(s *Spec) {
			s.Table, s.RowKey, s.OnTombstone = table, key, "ignore"
			s.Columns[0].To = fmt.Sprintf("d:%d", columns)
		})
	}
	set := compile(t,
		spec("one", rowkey.Part{Field: "key"}, rowkey.Part{Literal: "|"}, rowkey.Part{Field: "value.a", As: "int16"}),
		spec("two", rowkey.Part{Field: "value.a", As: "int16"}),
		spec("two", rowkey.Part{Field: "value.a", As: "int32"}),
		spec("three", rowkey.Part{Field: "key", Width: 2}),
		spec("three", rowkey.Part{Field: "value.a", As: "int16"}),
	)
	for _, c := range []struct{ topic, table, row, want string }{
		{"t", "default:one", "k|\x80\x07", "key=k literal=| value.a=7"},
		{"t", "default:one", "k\x80\x07", "another text stands there"},
		{"t", "default:two", "\x80\x07", "value.a=7"},
		{"t", "default:two", "\x80\x00\x00\x08", "value.a=8"},
		{"t", "default:three", "ab", "several mappings"},
		{"t", "default:four", "ab", "no mapping writes"},
		{"other", "default:one", "k|\x80\x07", "no mapping writes"},
	} {
		parts, err := set.Explain(c.topic, c.table, []byte(c.row))
		var got strings.Builder
		for _, p := range parts {
			fmt.Fprintf(&got, " %s=%s", p.Name, p.Text)
		}
		if err != nil {
			got.WriteString(err.Error())
		}
		if !strings.Contains(got.String(), c.want) || err == nil && strings.TrimSpace(got.String()) != c.want {
			t.Errorf("%s %q: %s, want %s", c.table, c.row, got.String(), c.want)
		}
	}
}
