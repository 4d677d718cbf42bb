package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"rowmark/test/bench/report"
)

// TestRoundsAreInterleaved: one round of all, then the next, and the warm-up counts nowhere.
func TestRoundsAreInterleaved(t *testing.T) {
	var order []string
	var cleaned bool
	runner := func(name string, rate float64) contestant {
		return contestant{name, func(_ context.Context, round int) (report.Sample, error) {
			order = append(order, name+string(rune('0'+round)))
			s := report.Unmeasured()
			s.Records, s.Seconds = rate*float64(round+1), 1
			return s, nil
		}}
	}
	r := race{
		name: "r", contestants: []contestant{runner("a", 20), runner("b", 10)}, ratios: []ratio{{"a", "b"}},
		cleanUp: func(context.Context) error { cleaned = true; return nil },
	}
	results, err := r.play(t.Context(), 2, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a0", "b0", "a1", "b1", "a2", "b2"}; !slices.Equal(order, want) {
		t.Errorf("run in the order %v, want %v", order, want)
	}
	if got := results[0].Values(report.Sample.Rate); !slices.Equal(got, []float64{40, 60}) {
		t.Errorf("a has %v, want the two rounds after the warm-up", got)
	}
	if !cleaned {
		t.Error("nothing was cleaned up")
	}
	s := suite{figure: report.Sample.Rate}
	rows, err := s.compare(r, results)
	if err != nil || len(rows) != 1 || rows[0][3] != "2.00 (2.00–2.00)" {
		t.Errorf("%v, %v", rows, err)
	}
	r.ratios = []ratio{{"a", "c"}}
	if _, err := s.compare(r, results); err == nil {
		t.Error("a ratio to nobody was made")
	}
}

func TestRaceFails(t *testing.T) {
	broken := errors.New("broken")
	r := race{name: "r", contestants: []contestant{{"a", func(context.Context, int) (report.Sample, error) { return report.Sample{}, broken }}}}
	if _, err := r.play(t.Context(), 3, t.Logf); !errors.Is(err, broken) {
		t.Errorf("%v, want the contestant's error", err)
	}
}

func TestChosen(t *testing.T) {
	all := []suite{
		{name: "reading", races: []race{{name: "reading/1p/lz4"}, {name: "reading/16p/none"}}},
		{name: "writing", races: []race{{name: "writing/4-regions"}}},
		{name: "shape", asked: true, races: []race{{name: "shape/regions"}}},
	}
	for only, want := range map[string]string{
		"": "reading/1p/lz4,reading/16p/none,writing/4-regions", "lz4": "reading/1p/lz4",
		"writing, 16p": "reading/16p/none,writing/4-regions", "shape": "shape/regions",
	} {
		var names []string
		for _, s := range chosen(all, only) {
			for _, r := range s.races {
				names = append(names, r.name)
			}
		}
		if got := strings.Join(names, ","); got != want {
			t.Errorf("--only %q runs %s, want %s", only, got, want)
		}
	}
	if !whole(all, chosen(all, "reading")) || whole(all, chosen(all, "lz4")) {
		t.Error("a suite without one of its races counts as whole, or a whole one does not")
	}
}

func TestAbleLeavesOutWhatLacksAFlag(t *testing.T) {
	s := &session{}
	if got := s.able([]suite{{name: "a"}, {name: "b", lacks: "--hdfs"}}); len(got) != 1 || got[0].name != "a" {
		t.Errorf("%v are run, want a alone", got)
	}
}
