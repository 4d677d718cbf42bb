package reprocess

import (
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Where a record of another partition can have deleted the window's row, so that nothing may be left of the delete, a run is
// refused with the reason, unless it is forced. Where nothing deletes, or rows keep to their partitions, none is.
func TestRowsOfSeveralPartitions(t *testing.T) {
	keyed := func(key, more string) string {
		return strings.Replace(mapped("s:t", "_"), "{field: key}", key, 1) + "    on_tombstone: " + more + "\n"
	}
	both := func(text string) string { return strings.Replace(text, "topics: [t]", "topics: [t, u]", 1) }
	for _, c := range []struct {
		name, tables string
		partitions   int32
		want         string // empty: it is not refused
	}{
		{"the key", keyed("{field: key}", "delete-row"), 2, ""},
		{"a value, and nothing deletes", keyed("{field: value.k}", "ignore"), 2, ""},
		{"a value, and each record replaces", keyed("{field: value.k}", "ignore\n    replace: true"), 2, "in table s:t (its row keys are not made of the records' whole keys alone)"},
		{"a value in one partition", keyed("{field: value.k}", "ignore\n    replace: true"), 1, ""},
		{"several topics", both(keyed("{field: key}", "delete-row")), 1, "in table s:t (topics t, u write to it)"},
		{"several topics, and nothing deletes", both(keyed("{field: key}", "ignore")), 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.partitions, "t", "u")
			old := w.options(c.tables)
			anew := w.options(strings.Replace(c.tables, `"_${`, `"new${`, 1))
			if old.Mappings.Hash() == anew.Mappings.Hash() {
				t.Fatal("the mappings are the same")
			}
			w.init(old)
			w.produce(record(0, "x", `{"k":"x","a":1}`, 2000), &kgo.Record{Topic: "u", Key: []byte("y"), Value: []byte(`{"k":"y","a":1}`)})
			if c.partitions > 1 {
				w.produce(record(1, "z", `{"k":"z","a":1}`, 2000))
			}
			w.once(old)
			req := Request{ID: "a", Window: Window{1900, 2100}}
			_, err := w.runner(anew).DryRun(t.Context(), req, 1)
			var refused *RefusedError
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "":
				if fails(t, err, c.want); !errors.As(err, &refused) {
					t.Errorf("%v is no refusal", err)
				}
				_, err = w.runner(anew).Run(t.Context(), req)
				fails(t, err, "--force goes on")
				req.Force = true
			}
			if rep := w.run(anew, req); len(rep.Notes) > 0 != (c.want != "") {
				t.Errorf("notes %q", rep.Notes)
			}
			if c.want != "" {
				w.said(c.want)
			}
			if !strings.Contains(strings.Join(w.seen("s:t"), "\n"), "x d:a=new1") {
				t.Errorf("the run wrote nothing: %q", w.seen("s:t"))
			}
		})
	}
}

// A run to tables of its own has nothing that others deleted.
func TestFreshTablesHoldNoDeletesOfOthers(t *testing.T) {
	w := newWorld(t, 2, "t")
	keyed := func(table string) string {
		return strings.Replace(mapped(table, ""), "{field: key}", "{field: value.k}", 1) + "    on_tombstone: ignore\n    replace: true\n"
	}
	old, anew := w.options(keyed("s:t")), w.options(keyed("s:fixed"))
	w.init(old)
	w.init(anew)
	w.produce(record(0, "x", `{"k":"x","a":1}`, 2000), record(1, "x", `{"k":"x","a":2}`, 1000))
	w.once(old)
	w.run(anew, Request{ID: "a", Window: Window{1900, 2100}, Into: map[string]string{"s:t": "s:fixed"}})
	w.shows("s:fixed", "x d:a=1")
}
