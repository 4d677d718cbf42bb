package live

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/test/crash/matrix"
)

// TestReducedMatrix kills at some of the points of some scenarios; `go run ./test/crash` does it at all.
func TestReducedMatrix(t *testing.T) {
	var m matrix.Matrix
	some := []Scenario{{"rows", "region", true}, {"sources", "row", false}, {"offsets", "region", false}, {"init", "region", false}}
	Run(some, &m, Options{Workers: 12, Only: func(x Target) bool {
		switch x.Effect {
		case "Write/region", "Write/row", "SwapCheckpoint/take":
			return x.Nth == 1 && (x.At == Landed || x.At == Partial)
		}
		return strings.HasPrefix(x.Effect, "offsets/") && x.At == Landed || x.Effect == "init/CreateTable" && x.At == Landed && x.Nth == 1
	}})
	points, _, bad := m.Totals()
	reached := m.Reached()
	if bad > 0 || points < 6 || !reached["Write/region"] || !reached["Write/row"] || !reached["offsets/take"] || !reached["init/CreateTable"] {
		var out strings.Builder
		m.Print(&out, "effect")
		t.Errorf("%d points, %d violations\n%s", points, bad, out.String())
	}
}

// TestUnguardedWritesAreCaught: without marks a kill between a write and its answer must show.
func TestUnguardedWritesAreCaught(t *testing.T) {
	var m matrix.Matrix
	Run([]Scenario{{"rows", "row", false}}, &m, Options{
		Workers: 12,
		Mutate:  func(o *connector.Options) { o.Core.AtLeastOnce = true },
		Only:    func(x Target) bool { return x.Effect == "Write/row" && x.At == Landed },
	})
	if points, _, bad := m.Totals(); bad == 0 || points == 0 {
		t.Errorf("%d points without marks and %d violations", points, bad)
	}
}

// TestSpoiledDataIsCaught: each thing that the check looks at, spoiled at the end of a good run.
func TestSpoiledDataIsCaught(t *testing.T) {
	first := func(c content, prefix, column string) map[string]string {
		var rows []string
		for row, cells := range c {
			if strings.HasPrefix(row, prefix) && cells[column] != "" {
				rows = append(rows, row)
			}
		}
		if len(rows) == 0 {
			t.Errorf("no row %s with %s", prefix, column)
			return map[string]string{}
		}
		return c[slices.Min(rows)]
	}
	s, good := Scenario{"regions", "region", false}, content{}
	if out := play(s, Plan{}, Options{Spoil: func(c content) { good = c }}); len(out.errs) > 0 || len(good) == 0 {
		t.Fatalf("%d rows undisturbed: %v", len(good), out.errs)
	}
	for name, spoil := range map[string]func(content){
		"a put lost":              func(c content) { delete(first(c, "rows ", "d:last"), "d:last") },
		"a put of another record": func(c content) { first(c, "rows ", "d:w")["d:w"] = "5" },
		"a column too many":       func(c content) { first(c, "rows ", "d:w")["d:other"] = "5" },
		"a record lost from its list": func(c content) {
			m := first(c, "counts ", "l:list")
			_, m["l:list"], _ = strings.Cut(m["l:list"], ",")
		},
		"a record listed twice": func(c content) {
			m := first(c, "counts ", "l:list")
			id, _, _ := strings.Cut(m["l:list"], ",")
			m["l:list"] += id + ","
		},
		"a sum too large": func(c content) {
			m := first(c, "counts ", "c:w")
			m["c:w"] = m["c:w"][:7] + string([]byte{m["c:w"][7] + 1})
		},
		"a mark of another record": func(c content) {
			first(c, "rows ", "d:w")[markFamily+":"+source(0)] = string(core.Mark{Next: 999}.Encode())
		},
		"a checkpoint that lags": func(c content) {
			c[checkpointTable+" "+source(0)]["c:position"] = string(core.Position{Offset: 1, Epoch: 3}.Encode())
		},
		"a checkpoint that is held": func(c content) {
			m := c[checkpointTable+" "+source(0)]
			pos, err := core.DecodePosition([]byte(m["c:position"]))
			if err != nil {
				t.Error(err)
			}
			pos.Owner = core.Owner{7}
			m["c:position"] = string(pos.Encode())
		},
	} {
		c := content{}
		for row, cells := range good {
			c[row] = maps.Clone(cells)
		}
		spoil(c)
		w := &world{s: s, events: s.events()}
		if w.compare(c); len(w.errs) == 0 {
			t.Errorf("%s: not caught", name)
		}
	}
}

// TestMissingNamesWhatWasNotReached: a kind at which nothing was killed.
func TestMissingNamesWhatWasNotReached(t *testing.T) {
	var m matrix.Matrix
	m.Case("init/CreateTable", "before", "init", "p", "c", nil)
	m.Case("Write/row", "before", "one", "p", "c", nil)
	miss := Missing(testRegistry(t), &m)
	if slices.Contains(miss, "init") || slices.Contains(miss, "Write") || !slices.Contains(miss, "Look") || !slices.Contains(miss, "group/join") {
		t.Errorf("missing %v", miss)
	}
}
