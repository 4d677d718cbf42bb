package reprocess

import (
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// mapped is a mapping of the topic t to a table, with the value of column d:a in front of it.
func mapped(table, prefix string) string {
	return `  - topics: [t]
    table: ` + table + `
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {template: "` + prefix + `${value.a}", to: "d:a"}
`
}

func TestWindowIsWrittenAnew(t *testing.T) {
	w := newWorld(t, 1, "t")
	w.produce(
		record(0, "x", `{"a":1}`, 1000), record(0, "y", `{"a":2}`, 2000), record(0, "z", `{"a":3}`, 2500),
		record(0, "x", `{"a":4}`, 2999), record(0, "y", `{"a":5}`, 3000), record(0, "z", `{"a":6}`, 1500),
	)
	old := w.options(mapped("s:t", "old"))
	w.init(old)
	w.once(old)
	rep := w.run(w.options(mapped("s:t", "new")), Request{Window: Window{2000, 3000}})
	if rep.State != Done || rep.InWindow() != 3 {
		t.Errorf("%+v", rep)
	}
	w.shows("s:t", "x d:a=new4", "y d:a=old5", "z d:a=old6")
	if rep := w.run(w.options(mapped("s:t", "new")), Request{Window: Window{2000, 3000}}); !rep.Already {
		t.Errorf("the second time: %+v", rep)
	}
}

// A dry run tells what would change, by the cells that would show in the end, and writes nothing.
func TestDryRun(t *testing.T) {
	w := newWorld(t, 1, "t")
	w.produce(
		record(0, "x", `{"a":1}`, 1000), record(0, "y", `{"a":2}`, 2000), record(0, "z", `{"a":3}`, 2500), record(0, "v", `{"a":7}`, 2600),
		record(0, "x", `{"a":4}`, 2999), record(0, "y", `{"a":5}`, 3000), record(0, "z", `{"a":6}`, 1500), record(0, "v", "", 3100),
	)
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	w.once(old)
	before := w.seen("s:t")
	plan, err := w.runner(anew).DryRun(t.Context(), Request{Window: Window{2000, 3000}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Counts{Records: 8, Window: 4, Rows: 4, Followers: 1, Deletes: 1}); plan.Counts != want {
		t.Errorf("counts %+v, want %+v", plan.Counts, want)
	}
	if plan.InWindow() != 4 || plan.Strays() != 0 {
		t.Errorf("parts %+v", plan.Parts)
	}
	if s := plan.Sample; len(s) != 1 || s[0].Row.Text != "x" || len(s[0].Cells) != 1 || s[0].Cells[0].Was.Text != "old4" || s[0].Cells[0].Will.Text != "new4" {
		t.Errorf("sample %+v, want row x from old4 to new4", s)
	}
	w.shows("s:t", before...)
	if runs, err := w.runner(anew).runs().List(t.Context()); err != nil || len(runs) > 0 {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

// Where the keys changed, the rows under the old ones are told, and deleted with the old mapping at hand: not what another
// record wrote there later, nor rows that the new mapping makes too.
func TestOldKeys(t *testing.T) {
	keyed := func(key string) string {
		return strings.Replace(mapped("s:t", ""), "{field: key}", key, 1) + "    on_tombstone: ignore\n"
	}
	w := newWorld(t, 1, "t")
	old, anew := w.options(keyed("{field: key}")), w.options(keyed("{field: value.k}"))
	w.init(old)
	w.produce(
		record(0, "a", `{"k":"A","a":1}`, 1000), record(0, "b", `{"k":"B","a":2}`, 2000), record(0, "c", `{"k":"b2","a":3}`, 2100),
		record(0, "d", `{"k":"e","a":4}`, 2200), record(0, "e", `{"k":"E","a":5}`, 2300), record(0, "c", `{"k":"C","a":6}`, 3000),
	)
	w.once(old)
	req := Request{ID: "told", Window: Window{2000, 3000}}
	rep := w.run(anew, req)
	var names []string
	for _, r := range rep.Old.Rows {
		names = append(names, r.Table+" "+string(r.Row))
	}
	if want := []string{"s:t b", "s:t c", "s:t d"}; rep.Old.Count != 3 || !slices.Equal(names, want) {
		t.Errorf("old keys %d %q, want %q", rep.Old.Count, names, want)
	}
	w.shows("s:t", "B d:a=2", "E d:a=5", "a d:a=1", "b d:a=2", "b2 d:a=3", "c d:a=6", "d d:a=4", "e d:a=5")
	req.ID, req.Old = "removed", old.Mappings
	_, err := w.runner(anew).Run(t.Context(), req)
	fails(t, err, "t/0 is still written by a mapping of other row keys")
	w.once(anew)
	if rep := w.run(anew, req); rep.Old.Count != 3 || !rep.Old.Removed {
		t.Errorf("old keys %+v", rep.Old)
	}
	w.shows("s:t", "B d:a=2", "E d:a=5", "a d:a=1", "b2 d:a=3", "c d:a=6", "e d:a=5")
}

// A group that shows the live connector's positions does not get those of a run.
func TestRunsAreNotMirrored(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	w.produce(record(0, "x", `{"a":1}`, 1000), record(0, "x", `{"a":2}`, 2000))
	old.MirrorGroup, anew.MirrorGroup = "lag", "lag"
	w.once(old)
	w.produce(record(0, "x", `{"a":3}`, 3000))
	admin := kadm.NewClient(w.client)
	commit := kadm.Offsets{}
	commit.AddOffset("t", 0, 7, -1)
	if err := admin.CommitAllOffsets(t.Context(), "lag", commit); err != nil {
		t.Fatal(err)
	}
	w.run(anew, Request{Window: Window{500, 5000}})
	got, err := admin.FetchOffsets(t.Context(), "lag")
	if o, _ := got.Lookup("t", 0); err != nil || o.At != 7 {
		t.Errorf("the group stands at %d, %v, want 7 as before", o.At, err)
	}
}
