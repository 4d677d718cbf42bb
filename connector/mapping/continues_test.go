package mapping

import "testing"

func TestContinues(t *testing.T) {
	stored := func(f func(*Spec)) []byte { return compile(t, edit(f)).Canonical() }
	for _, c := range []struct {
		name     string
		was, now func(*Spec)
		want     bool
	}{
		{"the same", func(*Spec) {}, func(*Spec) {}, true},
		{"fail becomes skip", func(*Spec) {}, func(s *Spec) { s.OnError = "skip" }, true},
		{"skip becomes fail", func(s *Spec) { s.OnError = "skip" }, func(*Spec) {}, false},
		{"other splits", splits("a"), splits("b", "c"), true},
		{"fail becomes dead-letter", func(*Spec) {}, func(s *Spec) { s.OnError = "dead-letter" }, true},
		{"dead-letter becomes skip", func(s *Spec) { s.OnError = "dead-letter" }, func(s *Spec) { s.OnError = "skip" }, true},
		{"skip becomes dead-letter", func(s *Spec) { s.OnError = "skip" }, func(s *Spec) { s.OnError = "dead-letter" }, true},
		{"dead-letter becomes fail", func(s *Spec) { s.OnError = "dead-letter" }, func(*Spec) {}, false},
		{"another table", func(*Spec) {}, func(s *Spec) { s.Table = "ns:other" }, false},
		{"other rows", func(*Spec) {}, func(s *Spec) { s.Timestamp = "value.ts" }, false},
		{"skip, and other rows", func(*Spec) {}, func(s *Spec) { s.OnError, s.Timestamp = "skip", "value.ts" }, false},
	} {
		if got := compile(t, edit(c.now)).Continues(stored(c.was)); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
	letters := func(table string) *Set {
		set, problems := Compile([]Spec{edit(func(s *Spec) { s.OnError = "dead-letter" })}, Options{Letters: table})
		if problems != nil {
			t.Fatal(problems)
		}
		return set
	}
	if letters("x").Continues(letters("y").Canonical()) || !letters("x").Continues(letters("x").Canonical()) {
		t.Error("letters of one table are continued in another, or not in their own")
	}
	two := compile(t, base(), edit(func(s *Spec) { s.Table = "ns:other" }))
	if two.Continues(stored(func(*Spec) {})) || two.Continues(nil) || two.Continues([]byte("{")) {
		t.Error("a set of two mappings continues something else")
	}
}
