package e2e

import (
	"strings"
	"testing"
)

// TestMisspeltTable runs with a table that is not there: on a sink that never wrote and on one that did, the mended
// configuration goes on as if the other had never been, also after a kill.
func TestMisspeltTable(t *testing.T) {
	w := newWorld(t)
	topic, right := w.topic("in", 2, nil), w.config(tagTables)
	wrong := w.config(strings.Replace(tagTables, "$NAME_tags", "$NAME_tgas", 1))
	w.init(right)
	w.produce(tagRecords(topic, 0, 200, 20)...)

	w.start(wrong, "--once", "--fail-fast").ends(7, "rowmark init")
	w.once(right).ends(0)
	w.produce(tagRecords(topic, 200, 200, 20)...)
	p := w.start(wrong)
	p.says("partition stopped", 1)
	p.kill()
	w.once(right).ends(0)

	cells := w.cells(w.name + "_tags")
	var n int64
	for _, c := range cells {
		if c.Qualifier == "n" {
			n += long(t, cells, c.Row, "c:n")
		}
	}
	if n != 400 {
		t.Errorf("%d records are counted, want 400", n)
	}
}
