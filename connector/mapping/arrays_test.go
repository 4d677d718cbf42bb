package mapping

import (
	"testing"

	"rowmark/connector/decode"
)

func TestArraysAreReadWhereAMappingOfTheTopicNeedsThem(t *testing.T) {
	arrays := func(s *Spec) { s.Columns = []Column{{Fields: "value.*", ToFamily: "r", Arrays: "path"}} }
	plain := func(table, topic string) Spec {
		return edit(func(s *Spec) { s.Table, s.Topics = table, []string{topic} })
	}
	set := compile(t, plain("ns:a", "t"), edit(arrays), plain("ns:b", "other"), plain("ns:c", "/t.*/"))
	for i, want := range []decode.Format{decode.JSONArrays, decode.JSONArrays, decode.JSON, decode.JSONArrays} {
		if got := set.rules[i].value; got != want {
			t.Errorf("mapping %d reads as %#v, want %#v", i, got, want)
		}
		if set.rules[i].key != decode.Text {
			t.Errorf("mapping %d reads keys as %#v", i, set.rules[i].key)
		}
	}
	keys := compile(t, edit(func(s *Spec) {
		s.Key.Format, s.Columns = "json", []Column{{Fields: "key.*", ToFamily: "r", Arrays: "path"}}
	}))
	if r := keys.rules[0]; r.key != decode.JSONArrays || r.value != decode.JSON {
		t.Errorf("key %#v, value %#v", r.key, r.value)
	}
}
