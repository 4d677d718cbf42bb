package reprocess

import (
	"strings"
	"testing"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// What the connector may still write by another mapping is told as far as the log goes, and where it bears on the run.
func TestBegunRecordsAreTold(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	two := func(prefix string) *mapping.Set {
		return w.options(mapped("s:t", prefix) + mapped("s:u", prefix)).Mappings
	}
	w.produce(record(0, "x", `{"a":1}`, 1000), record(0, "x", `{"a":2}`, 2000), record(0, "x", `{"a":3}`, 3000))
	tp := kafka.TopicPartition{Topic: "t"}
	w.services(old)
	for name, c := range map[string]struct {
		live, run       *mapping.Set
		into            map[string]string
		offset, ceiling int64
		want            string
	}{
		"past the log's end":      {old.Mappings, anew.Mappings, nil, 1, 100_001, "t/0: offsets [1, 3), which"},
		"before the log's end":    {old.Mappings, anew.Mappings, nil, 1, 2, "t/0: offsets [1, 2), which"},
		"at the log's end":        {old.Mappings, anew.Mappings, nil, 3, 100_003, ""},
		"nothing was begun":       {old.Mappings, anew.Mappings, nil, 1, 1, ""},
		"the same mapping":        {anew.Mappings, anew.Mappings, nil, 1, 100_001, ""},
		"into fresh tables":       {old.Mappings, anew.Mappings, map[string]string{"s:t": "s:v"}, 1, 100_001, ""},
		"into one, and the same":  {two("new"), two("new"), map[string]string{"s:t": "s:v"}, 1, 100_001, ""},
		"into one, and different": {two("old"), two("new"), map[string]string{"s:t": "s:v"}, 1, 100_001, "t/0: offsets [1, 3), which"},
	} {
		set := c.run
		if c.into != nil {
			var err error
			if set, err = set.Into(c.into, nil); err != nil {
				t.Fatal(err)
			}
		}
		ck := &core.Checkpoint{MappingHash: c.live.Hash(), Mapping: c.live.Canonical()}
		ck.Offset, ck.Ceiling = c.offset, c.ceiling
		p := &planner{req: Request{Into: c.into}, set: set, log: &Log{w.reader}, end: kafka.Latest, sets: map[string]*mapping.Set{}, texts: map[string][]byte{}}
		if err := p.liveMapping(tp, ck); err != nil {
			t.Fatal(err)
		}
		if err := p.tellBegun(t.Context(), tp, ck); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.notes, "\n"); (got != "") != (c.want != "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}
