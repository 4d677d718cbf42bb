package mapping

import (
	"strings"
	"testing"

	"rowmark/rowkey"
)

func TestCellText(t *testing.T) {
	set := compile(t, Spec{
		Topics: []string{"t"}, Table: "x", Value: Format{Format: "json"}, RowKey: rowkey.Spec{{Field: "key"}}, OnTombstone: "ignore",
		Columns: []Column{
			{Field: "value.total", To: "d:total", As: "float64"},
			{Field: "value.status", To: "d:status"},
			{Field: "value.n", To: "c:n", Op: "increment"},
			{Field: "value.day", To: "t:day_${value.day}", As: "int32"},
			{Fields: "value.w.*", ToFamily: "w", As: "int64"},
		},
	}, Spec{
		Topics: []string{"u"}, Table: "x", Value: Format{Format: "json"}, RowKey: rowkey.Spec{{Field: "key"}}, OnTombstone: "ignore",
		Columns: []Column{{Field: "value.n", To: "w:mixed"}},
	})
	for _, c := range []struct{ table, column, value, want string }{
		{"default:x", "d:total", "\x40\x29\x00\x00\x00\x00\x00\x00", "12.5 bytes_float64"},
		{"default:x", "d:status", "paid", "paid string"},
		{"default:x", "c:n", "\x00\x00\x00\x00\x00\x00\x00\x02", "2 bytes_int64"},
		{"default:x", "c:n", "two", ""},
		{"default:x", "t:day_7", "\x00\x00\x00\x07", "7 bytes_int32"},
		{"default:x", "t:other", "\x00\x00\x00\x07", ""},
		{"default:x", "w:any", "\x00\x00\x00\x00\x00\x00\x00\x01", "1 bytes_int64"},
		{"default:x", "w:mixed", "\x00\x00\x00\x00\x00\x00\x00\x01", ""}, // two mappings write it in two ways
		{"default:x", "f:foreign", "1", ""},
		{"default:y", "d:status", "paid", ""},
	} {
		family, qualifier, _ := strings.Cut(c.column, ":")
		text, encoding, ok := set.CellText(c.table, []byte(family), []byte(qualifier), []byte(c.value))
		got := ""
		if ok {
			got = text + " " + encoding
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.table, c.column, got, c.want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	one := Spec{
		Topics: []string{"t"}, Table: "x", Value: Format{Format: "json"}, OnTombstone: "ignore", Columns: []Column{{Field: "value.s", To: "d:s"}},
		RowKey: rowkey.Spec{{Salt: 16, Of: []string{"value.id"}}, {Field: "value.id"}, {Literal: "|"}, {Field: "value.n", As: "int32"}},
	}
	other := one
	other.Topics, other.RowKey = []string{"u"}, rowkey.Spec{{Field: "key"}}
	set := compile(t, one)
	for _, c := range []struct {
		set    *Set
		table  string
		fields map[string]string
		want   string // the key, or after ! a part of the error
	}{
		{set, "default:x", map[string]string{"value.id": "c1", "value.n": "7"}, "\x0dc1|\x80\x00\x00\x07"},
		{set, "default:x", map[string]string{"value.id": "c1"}, "!value.n"},
		{set, "default:x", map[string]string{"value.id": "c1", "value.n": "x"}, "!value.n"},
		{set, "default:x", map[string]string{"value.id": "c1", "value.m": "7"}, "!value.m is no part of the row key, which is made of value.id, value.n"},
		{set, "default:y", map[string]string{"value.id": "c1"}, "!no mapping writes to default:y"},
		{compile(t, one, other), "default:x", map[string]string{"key": "k"}, "k"},
	} {
		key, err := c.set.KeyOf(c.table, c.fields)
		if reason, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%v: %x, %v, want %s", c.fields, key, err, reason)
			}
		} else if err != nil || string(key) != c.want {
			t.Errorf("%v: %x, %v, want %x", c.fields, key, err, c.want)
		}
	}
}
