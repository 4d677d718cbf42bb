package reprocess

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/config"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

func compiled(t *testing.T, more string) *mapping.Set {
	t.Helper()
	c, err := config.Parse("x.yaml", []byte("sink: s\nkafka: {brokers: [b:1]}\nhbase: {zookeeper: [z:1]}\ntables:\n"+mapped("s:t", "")+more))
	if err != nil {
		t.Fatal(err)
	}
	return c.Mappings
}

// sends gives what a stage makes of records "key time value", a value of - being a tombstone: "key del@1 put v@2".
func sends(t *testing.T, live, set *mapping.Set, w Window, last int64, segments []Segment, records ...string) []string {
	t.Helper()
	s := &Stage{window: w, set: set, budget: budget{most: 100}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	p := &stagePart{Part: Part{Topic: "t", Until: 100, Last: last, Segments: segments}, live: live, after: live}
	st := &state{stage: s, part: p, counts: &s.counts, rows: newFloors(s)}
	var out []string
	for i, text := range records {
		var key, value string
		rec := decode.Record{Topic: "t", Offset: int64(i)}
		if _, err := fmt.Sscan(text, &key, &rec.Timestamp, &value); err != nil {
			t.Fatal(err)
		}
		if rec.Key = []byte(key); value != "-" {
			rec.Value = []byte(value)
		}
		res, err := st.Map(rec, nil)
		if err != nil || res.Err != nil {
			t.Fatal(err, res.Err)
		}
		for _, o := range res.Rows {
			line := []string{string(o.Row)}
			if o.LogOrder {
				line = append(line, "not settled")
			}
			if o.Delete != nil {
				line = append(line, fmt.Sprintf("del@%d", o.Time))
			}
			for _, c := range o.Cells {
				line = append(line, fmt.Sprintf("put %s@%d", c.Value, o.Time))
			}
			out = append(out, strings.Join(line, " "))
		}
	}
	return out
}

// What is sent of a log, and at which times: each by the floor that the row had in the live connector.
func TestStageSends(t *testing.T) {
	plain, replace := compiled(t, ""), compiled(t, "    replace: true\n")
	byTime := compiled(t, "    order: time\n    timestamp: value.at\n    max_past: 1m\n")
	for _, c := range []struct {
		name      string
		live, set *mapping.Set
		last      int64
		segments  []Segment
		records   []string
		want      []string
	}{
		{"records of the window alone", plain, plain, 2, nil, []string{`x 19 {"a":1}`, `x 20 {"a":2}`, `x 30 {"a":3}`}, []string{"x put 2@20"}},
		{"a late one at its row's floor", plain, plain, 9, nil, []string{`x 40 {"a":1}`, `x 25 {"a":2}`}, []string{"x put 2@40"}},
		{"one of the same time behind it", plain, plain, 1, nil, []string{`x 25 {"a":1}`, `x 5 {"a":2}`, `x 31 {"a":3}`}, []string{"x put 1@25", "x put 2@25"}},
		{"not in another row", plain, plain, 1, nil, []string{`x 25 {"a":1}`, `y 5 {"a":2}`}, []string{"x put 1@25"}},
		{"the deletes behind it, without puts", plain, plain, 1, nil, []string{`x 25 {"a":1}`, `x 31 -`, `x 31 {"a":2}`, `x 5 -`}, []string{"x put 1@25", "x del@31", "x del@32"}},
		{"no delete of a row that it did not write", plain, plain, 1, nil, []string{`x 25 {"a":1}`, `y 31 -`}, []string{"x put 1@25"}},
		{
			"the window's records count for floors, too", replace, replace, 4, nil,
			[]string{`x 20 {"a":1}`, `x 20 {"a":2}`, `x 5 {"a":3}`, `x 25 {"a":4}`},
			[]string{"x del@19", "x put 1@20", "x del@20", "x put 2@21", "x del@21", "x del@24", "x put 4@25"},
		},
		{
			"a new mapping that lifts the row more than the live one has followers lifted", plain, replace, 2, nil,
			[]string{`x 20 {"a":1}`, `x 20 {"a":2}`, `x 3 {"a":3}`, `x 31 {"a":4}`},
			[]string{"x del@19", "x put 1@20", "x del@20", "x put 2@21", "x put 3@21"},
		},
		{"the floor of an incarnation", plain, plain, 9, []Segment{{Start: 1, Floor: 50}}, []string{`x 25 {"a":1}`, `x 26 {"a":2}`}, []string{"x put 1@25", "x put 2@50"}},
		{
			"order: time, exact times, and what falls among them", byTime, byTime, 3, nil,
			[]string{`x 20 {"a":1,"at":15}`, `x 21 {"a":2,"at":18}`, `x 30 {"a":3,"at":18}`, `x 31 {"a":4,"at":19}`, `x 32 {"a":5,"at":14}`, `x 40 -`},
			[]string{"x put 1@15", "x put 2@18", "x put 3@18", "x del@40"},
		},
		{"order: time, deletes that came before", byTime, byTime, 2, nil, []string{`x 19 -`, `x 20 {"a":1,"at":18}`, `y 50 -`}, []string{"x del@19", "x put 1@18"}},
	} {
		if got := sends(t, c.live, c.set, Window{20, 30}, c.last, c.segments, c.records...); !slices.Equal(got, c.want) {
			t.Errorf("%s: sent %q, want %q", c.name, got, c.want)
		}
	}
}
