package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/rowkey"
)

// ordersBy is a mapping of orders by their keys.
func ordersBy(change func(*Spec)) Spec {
	s := Spec{
		Topics: []string{"orders"}, Table: "s:t", Key: Format{Format: "string"}, Value: Format{Format: "json"},
		RowKey:  rowkey.Spec{{Field: "key"}},
		Columns: []Column{{Field: "value.a", To: "d:a"}, {Field: "value.n", To: "c:n", Op: "increment"}, {Field: "value.l", To: "l:l", Op: "append"}},
	}
	if change != nil {
		change(&s)
	}
	return s
}

func setOf(t *testing.T, specs ...Spec) *Set {
	t.Helper()
	set, problems := Compile(specs, Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

// Keys are the same as long as nothing changed that rows or their keys are made by.
func TestSameKeys(t *testing.T) {
	base := setOf(t, ordersBy(nil))
	for name, c := range map[string]struct {
		change func(*Spec)
		want   bool
	}{
		"another column":  {func(s *Spec) { s.Columns[0].To = "d:b" }, true},
		"another order":   {func(s *Spec) { s.Order = "time" }, true},
		"another policy":  {func(s *Spec) { s.OnError = "skip" }, true},
		"another key":     {func(s *Spec) { s.RowKey = rowkey.Spec{{Field: "key", Upper: true}} }, false},
		"another filter":  {func(s *Spec) { s.Filter = "value == null || value.a == 1" }, false},
		"another table":   {func(s *Spec) { s.Table = "s:u" }, false},
		"another format":  {func(s *Spec) { s.Value.Compression = "gzip" }, false},
		"further topics":  {func(s *Spec) { s.Topics = append(s.Topics, "more") }, false},
		"nothing changed": {nil, true},
	} {
		if got := base.SameKeys(setOf(t, ordersBy(c.change))); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAges(t *testing.T) {
	field := func(future, past int64) Spec {
		return ordersBy(func(s *Spec) {
			s.Columns = s.Columns[:1]
			s.Table, s.Timestamp = fmt.Sprintf("s:t%d", past), "value.at"
			s.MaxFuture, s.MaxPast = time.Duration(future)*time.Millisecond, time.Duration(past)*time.Millisecond
		})
	}
	for name, c := range map[string]struct {
		set  *Set
		want Ages
	}{
		"the record's own time":    {setOf(t, ordersBy(nil)), Ages{}},
		"a field, without a bound": {setOf(t, field(0, 0)), Ages{Future: 3_600_000, Past: -1}},
		"a field, with bounds":     {setOf(t, field(20, 30)), Ages{Future: 20, Past: 30}},
		"the widest of all":        {setOf(t, field(20, 30), field(10, 40)), Ages{Future: 20, Past: 40}},
		"one without a bound":      {setOf(t, field(20, 0), field(10, 40)), Ages{Future: 20, Past: -1}},
	} {
		if got := c.set.Ages("orders"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Another table takes the place of one that is named, and of no other.
func TestInto(t *testing.T) {
	set := setOf(t, ordersBy(nil), ordersBy(func(s *Spec) { s.Table = "s:u" }))
	got, err := set.Into(map[string]string{"s:t": "s:copy"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range got.DataTables() {
		names = append(names, table.Name)
	}
	if want := []string{"s:copy", "s:u"}; !slices.Equal(names, want) || got.Hash() == set.Hash() {
		t.Errorf("tables %q, want %q", names, want)
	}
	if got.WritesOnly(map[string]bool{"s:copy": true}) || !got.WritesOnly(map[string]bool{"s:copy": true, "s:u": true}) {
		t.Error("the tables it writes are told wrongly")
	}
	for text, into := range map[string]map[string]string{
		"no mapping writes to a table that is named s:v": {"s:v": "s:copy"},
		"table s:u is one": {"s:t": "s:u"},
	} {
		if _, err := set.Into(into, nil); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v, want %q", into, err, text)
		}
	}
}

// What counts is named, and the families of counts are none that a row's delete may empty.
func TestSumsAndPuts(t *testing.T) {
	set := setOf(t, ordersBy(nil))
	if want := []Sum{{"s:t", "c:n", "increment"}, {"s:t", "l:l", "append"}}; !slices.Equal(set.Sums(), want) {
		t.Errorf("sums %+v, want %+v", set.Sums(), want)
	}
	if got := set.Puts("s:t"); len(got) != 1 || string(got[0]) != "d" {
		t.Errorf("families %q, want d", got)
	}
}

func TestByKeyAlone(t *testing.T) {
	for name, c := range map[string]struct {
		key  rowkey.Spec
		want bool
	}{
		"the key":             {rowkey.Spec{{Field: "key"}}, true},
		"salted, and in text": {rowkey.Spec{{Salt: 8, Of: []string{"key"}}, {Literal: "-"}, {Field: "key", Width: 9}}, true},
		"with the topic":      {rowkey.Spec{{Field: "topic"}, {Literal: "/"}, {Field: "key"}}, true},
		"a hash of a value":   {rowkey.Spec{{Hash: "md5", Of: []string{"key", "value.a"}}}, false},
		"a value":             {rowkey.Spec{{Field: "key"}, {Literal: "/"}, {Field: "value.a"}}, false},
		"a header":            {rowkey.Spec{{Field: "header.id"}}, false},
		"a stretch":           {rowkey.Spec{{Field: "key", Substring: &rowkey.Substring{Length: 2}}}, false},
	} {
		set := setOf(t, ordersBy(func(s *Spec) { s.RowKey, s.OnTombstone = c.key, "ignore" }))
		if got := set.ByKeyAlone("s:t"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if !set.ByKeyAlone("s:other") {
			t.Errorf("%s: it speaks of a table that is not written", name)
		}
	}
}
