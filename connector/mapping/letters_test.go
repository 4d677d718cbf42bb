package mapping

import (
	"errors"
	"slices"
	"testing"
)

// The strictest policy of the mappings that made rows counts, and a failure has that of the mapping that failed. It says
// whether the bytes could be read, and where the row would have gone.
func TestPoliciesOfARecord(t *testing.T) {
	with := func(policy, table, field string) Spec {
		return edit(func(s *Spec) {
			s.OnError, s.Table = policy, table
			s.RowKey[0].Field, s.OnTombstone = field, "ignore"
		})
	}
	for _, c := range []struct {
		name          string
		first, second string
		value         string
		want          ErrorPolicy
		decoded       bool
		table         string
	}{
		{"letters and skip", "dead-letter", "skip", `{"a":1}`, OnErrorDeadLetter, false, ""},
		{"skip and letters", "skip", "dead-letter", `{"a":1}`, OnErrorDeadLetter, false, ""},
		{"letters and fail", "dead-letter", "fail", `{"a":1}`, OnErrorFail, false, ""},
		{"bytes that can't be read", "dead-letter", "fail", `{`, OnErrorDeadLetter, false, "ns:x"},
		{"a field that is missing in the first", "dead-letter", "fail", `{"b":1}`, OnErrorDeadLetter, true, "ns:x"},
		{"null", "dead-letter", "dead-letter", `null`, OnErrorDeadLetter, true, "ns:x"},
	} {
		res := compile(t, with(c.first, "ns:x", "value.a"), with(c.second, "ns:y", "value.a")).Map(record(c.value))
		var f Failure
		if failed := (*Failure)(nil); errors.As(res.Err, &failed) {
			f = *failed
		}
		if res.OnError != c.want || f.Decoded != c.decoded || f.Table != c.table || (res.Err != nil) != (c.table != "") {
			t.Errorf("%s: policy %d, decoded %t, table %q, %v", c.name, res.OnError, f.Decoded, f.Table, res.Err)
		}
	}
}

func TestTableOfLetters(t *testing.T) {
	plain, letters := base(), edit(func(s *Spec) {
		s.Topics, s.Table, s.OnError = []string{"u"}, "ns:u", "dead-letter"
	})
	if set := compile(t, plain); set.Letters() != "" || len(set.Tables()) != 1 || set.WritesLetters("t") {
		t.Errorf("a set without letters has the table %q", set.Letters())
	}
	set := compile(t, plain, letters)
	tables := set.Tables()
	if set.Letters() != "default:letters" || len(tables) != 3 || tables[0].Name != "default:letters" || !slices.Equal(tables[0].Families, []string{"d"}) || len(tables[0].Splits) != letterRegions-1 {
		t.Errorf("letters go to %q, tables %+v", set.Letters(), tables)
	}
	if got := set.TablesOf("u"); !slices.Equal(got, []string{"default:letters", "ns:u"}) || !set.WritesLetters("u") {
		t.Errorf("topic u writes %q", got)
	}
	if got := set.TablesOf("t"); !slices.Equal(got, []string{"ns:t"}) || set.WritesLetters("t") {
		t.Errorf("topic t writes %q", got)
	}
	again, err := CompileCanonical(set.Canonical(), nil)
	if err != nil || again.Letters() != set.Letters() || again.Hash() != set.Hash() {
		t.Errorf("stored, letters go to %q, %v", again.Letters(), err)
	}
}
