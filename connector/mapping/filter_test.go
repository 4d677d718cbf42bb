package mapping

import (
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	spec := edit(func(s *Spec) { s.Filter = `value.type == "order" && value.l[0] > 10` })
	expectMap(t, spec, `{"a":1,"type":"order","l":[11]}`, "ns:t k@36000000 d:a=1")
	expectMap(t, spec, `{"a":1,"type":"order","l":[9]}`, "")
	expectMap(t, spec, `{"a":1,"type":"other"}`, "")
	expectMap(t, spec, `{"a":1,"type":"order"}`, "!mapping t -> ns:t: evaluating filter: at 1:33: no such key")

	// What is filtered out is asked for nothing else: neither for a key, nor for a time.
	other := edit(func(s *Spec) {
		s.Table, s.Filter, s.Timestamp = "ns:u", `value.type == "x"`, "value.ts"
		s.RowKey[0].Field, s.OnTombstone = "value.id", "ignore"
	})
	set := compile(t, base(), other)
	if got := show(set.Map(record(`{"a":1,"type":"y"}`))); got != "ns:t k@36000000 d:a=1" {
		t.Errorf("got %s", got)
	}
	if got := show(set.Map(record(`{"a":1,"type":"x","id":5,"ts":7}`))); got != "ns:t k@36000000 d:a=1; ns:u 5@7 d:a=1" {
		t.Errorf("got %s", got)
	}
	if compile(t, edit(func(s *Spec) { s.Filter = `topic == "t"` })).Continues(compile(t, base()).Canonical()) {
		t.Error("a filter makes no other rows")
	}
	again, err := CompileCanonical(compile(t, edit(func(s *Spec) { s.Filter = `topic == "x"` })).Canonical(), nil)
	if err != nil || show(again.Map(record(`{"a":1}`))) != "" {
		t.Errorf("the stored filter: %v", err)
	}
}

func TestFilterOfTombstones(t *testing.T) {
	tombstone := record("")
	tombstone.Value = nil
	for text, want := range map[string]string{
		`value == null || value.a == 1`: "ns:t k@36000000 delete d",
		`value != null && value.a == 1`: "",
		`topic == "t"`:                  "ns:t k@36000000 delete d",
	} {
		if got := show(compile(t, edit(func(s *Spec) { s.Filter = text })).Map(tombstone)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	_, problems := Compile([]Spec{edit(func(s *Spec) { s.Filter = `value.a == 1` })}, Options{})
	if len(problems) != 1 || problems[0].Path != "[0].filter" || !strings.Contains(problems[0].Text, "for a tombstone") {
		t.Errorf("a filter that fails on every tombstone: %v", problems)
	}
	compile(t, edit(func(s *Spec) { s.Filter, s.OnTombstone = `value.a == 1`, "ignore" }))
	_, problems = Compile([]Spec{edit(func(s *Spec) { s.Filter = `value.a = 1` })}, Options{})
	if len(problems) != 1 || problems[0].Path != "[0].filter" || !strings.Contains(problems[0].Text, "at 1:9: ") {
		t.Errorf("a filter that is none: %v", problems)
	}
}
