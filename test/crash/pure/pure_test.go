package pure

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/test/crash/effect"
	"rowmark/test/crash/matrix"
)

func registry(t testing.TB) *effect.Registry {
	t.Helper()
	reg, err := effect.Current()
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// TestUndisturbed: without a crash every scenario ends as its log says.
func TestUndisturbed(t *testing.T) {
	reg := registry(t)
	for _, s := range Scenarios() {
		for _, e := range s.Play(Plan{}, reg, Options{}) {
			t.Errorf("%s: %s", s.Name(), e)
		}
	}
}

// TestReducedMatrix runs some of the points of all scenarios; `go run ./test/crash` runs each.
func TestReducedMatrix(t *testing.T) {
	reg := registry(t)
	var m matrix.Matrix
	Run(Scenarios(), reg, &m, Options{Stride: 97, Workers: 2})
	points, cases, bad := m.Totals()
	if bad > 0 || points < 200 || cases < points {
		var out strings.Builder
		m.Print(&out, "effect")
		t.Errorf("%d points, %d cases, %d violations\n%s", points, cases, bad, out.String())
	}
}

// TestRepeats: the same plan gives the same points, or the numbers of actions would mean nothing.
func TestRepeats(t *testing.T) {
	reg := registry(t)
	s := NewScenario(ShapeSources, OpMixed, hbase.ModeRegion, true, "")
	a, b := s.run(Plan{}, reg, Options{}), s.run(Plan{}, reg, Options{})
	if !slices.Equal(a.points[0], b.points[0]) {
		t.Error("two runs of one scenario differ")
	}
}

// TestUnguardedWritesAreCaught: without marks the matrix must show violations, and only at crashes.
func TestUnguardedWritesAreCaught(t *testing.T) {
	reg := registry(t)
	for _, mode := range []hbase.Mode{hbase.ModeRow, hbase.ModeRegion} {
		for _, op := range []Op{OpIncrement, OpAppend} {
			var m matrix.Matrix
			s := NewScenario(ShapeRegions, op, mode, false, "")
			o := Options{Stride: 5, Mutate: func(c *core.Config) { c.AtLeastOnce = true }}
			if errs := s.Play(Plan{}, reg, o); len(errs) > 0 {
				t.Errorf("%s: undisturbed: %v", s.Name(), errs)
			}
			Run([]*Scenario{s}, reg, &m, o)
			if _, cases, bad := m.Totals(); bad == 0 {
				t.Errorf("%s: %d cases without marks and no violation", s.Name(), cases)
			}
		}
	}
}

// TestAPointThatDoesNotComeIsAViolation: else a run that does not repeat itself would pass for one without crashes.
func TestAPointThatDoesNotComeIsAViolation(t *testing.T) {
	var m matrix.Matrix
	r := &runner{s: NewScenario(ShapeOne, OpPut, hbase.ModeRow, false, ""), reg: registry(t), m: &m}
	pt := Point{Action: 9999, Effect: "Write/row"}
	r.play(Plan{First: &pt}, &pt)
	if _, _, bad := m.Totals(); bad == 0 {
		t.Error("a point past the end passed")
	}
	if miss := Missing(r.reg, &m); !slices.Contains(miss, "Look/floor") || slices.Contains(miss, "Write/row") {
		t.Errorf("missing effects: %v", miss)
	}
}

// TestFates: few in flight are tried in all combinations, many one by one.
func TestFates(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 2 + 2, 2: 4 + 2, 3: 8 + 2, 5: 2 + 2*5 + 2} {
		if got := len(fates(n, false)); got != want {
			t.Errorf("%d in flight: %d fates, want %d", n, got, want)
		}
	}
	if f := fates(2, true); !slices.ContainsFunc(f, func(f Fate) bool { return f.Half }) {
		t.Errorf("no fate in part: %v", f)
	}
}

// wants says that some error holds a text.
func wants(t *testing.T, errs []string, text string) {
	t.Helper()
	if !slices.ContainsFunc(errs, func(e string) bool { return strings.Contains(e, text) }) {
		t.Errorf("no %q among %v", text, errs)
	}
}

// TestUnfencedIsCaught: a process that was outlived and does not notice, since its lease never ends.
func TestUnfencedIsCaught(t *testing.T) {
	reg := registry(t)
	s := NewScenario(ShapeRows, OpPut, hbase.ModeRow, false, "")
	o := Options{Mutate: func(c *core.Config) {
		if c.Owner[0] == 1 {
			c.Lease, c.CheckpointEvery, c.CeilingStep = time.Hour, time.Hour, 1<<40
		}
	}}
	base := s.run(Plan{}, reg, o)
	i := slices.IndexFunc(base.points[0], func(p Point) bool { return p.Effect == "CancelFetch/drain" })
	if i < 0 {
		t.Fatal("it is never stopped amid a fetch")
	}
	// Before that it waits for records, and holds the partition.
	last := base.points[0][i-1]
	wants(t, s.Play(Plan{First: &last, Way: PauseLong}, reg, o), "unfenced")
}

// TestStuckIsCaught: a successor that never ends.
func TestStuckIsCaught(t *testing.T) {
	s := NewScenario(ShapeOne, OpPut, hbase.ModeRow, false, "")
	wants(t, s.Play(Plan{}, registry(t), Options{Mutate: func(c *core.Config) { c.Once = false }}), "stuck")
}
