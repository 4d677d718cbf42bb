package reprocess

import (
	"testing"
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
