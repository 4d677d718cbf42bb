package page

import (
	"encoding/json"
	"testing"
	"time"

	"rowmark/connector/status"
)

// hostile are names that would do harm to a page that took text for HTML, and one that would leave its place.
var hostile = []string{
	`<img src=x onerror="window.hit=1">`, `</script><script>window.hit=1</script>`, `"><svg onload=window.hit=1>`, `' onmouseover='window.hit=1`,
	`javascript:window.hit=1`, "${window.hit=1}", `&lt;b&gt;&#x41;`, "\u202emoc.elpmaxe", "__proto__", "constructor", "a\n\nevent: snapshot\ndata: {}",
	"<a href=https://example.com>x</a>", "\x00\u2028\ufeff", "</textarea></style><!--",
}

func TestPageShowsHostileNamesAsText(t *testing.T) {
	s := newSite(t)
	all := func(name string) *status.Snapshot {
		return &status.Snapshot{
			Sink: name, Version: name, Delivery: name, Started: start, At: start.Add(time.Minute),
			Sources:   []status.Source{{Topic: name, State: name, Error: name, LagRecords: 5}},
			Tables:    []status.Table{{Name: name, Mode: name, RowModeReason: name}},
			Recent:    []status.Event{{Kind: name, Topic: name, Offset: 7, Table: name, Text: name, Count: 3}},
			Reprocess: &status.Reprocess{ID: name, Total: 10, Done: 5},
		}
	}
	s.take(all("a"))
	s.open()
	s.show(all("a"))
	count := `document.querySelectorAll("*").length`
	elements := eval[int](s, count)
	for i, name := range hostile {
		snap := all(name)
		snap.At = snap.At.Add(time.Duration(i+1) * time.Second)
		s.show(snap)
		if n := eval[int](s, count); n != elements {
			t.Errorf("%q: the page has %d elements, and %d with a name that is plain", name, n, elements)
		}
		want, _ := json.Marshal(name)
		for _, where := range []string{"#sink", "#version", "#delivery", "#source-rows .topic", "#source-rows .error", "#source-rows .state span:last-child", "#tables .name", "#recent .text", "#reprocess-id"} {
			if !eval[bool](s, `document.querySelector("`+where+`").textContent === `+string(want)) {
				t.Errorf("%q is %q in %s", name, eval[string](s, `document.querySelector("`+where+`").textContent`), where)
			}
		}
		if eval[bool](s, `"hit" in window || "hit" in {} || document.querySelector("a:not(.skip), img") !== null`) {
			t.Errorf("%q did something", name)
		}
	}
}
