package rebuild

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

var (
	here  = kafka.TopicPartition{Topic: "t"}
	there = kafka.TopicPartition{Topic: "t", Partition: 1}
	now   = time.UnixMilli(9_000)
	id    = kafka.TopicID{7}
)

func found(tp kafka.TopicPartition, incarnation int, marks ...core.Mark) Found {
	f := Found{}
	for _, m := range marks {
		f.of(tp, incarnation).add(m)
	}
	return f
}

func (f Found) and(g Found) Found {
	for tp, marks := range g {
		for n, m := range marks {
			*f.of(tp, n) = *m
		}
	}
	return f
}

func TestCheckpointOfMarks(t *testing.T) {
	blank := core.Checkpoint{
		Position: core.Position{Offset: 3, Epoch: 1, Ceiling: 50}, TopicID: id, LeaderEpoch: -1, EpochOffset: 3,
		Newest: 9_000, AdvancedAt: 9_000, Who: "rowmark offsets rebuild",
	}
	with := func(f func(*core.Checkpoint)) core.Checkpoint {
		c := blank
		f(&c)
		return c
	}
	for _, c := range []struct {
		name  string
		found Found
		open  *Opening
		want  core.Checkpoint
	}{
		{"no marks", Found{}, nil, blank},
		{"marks up to the end", found(here, 0, core.Mark{Next: 50, Floor: 8_000}, core.Mark{Next: 1, Floor: 20}), nil, blank},
		{"a floor in the future", found(here, 0, core.Mark{Next: 5, Floor: 9_500}), nil, with(func(c *core.Checkpoint) { c.Newest = 9_500 })},
		{"another partition's marks", found(there, 0, core.Mark{Next: 90, Floor: 9_500}), nil, blank},
		{
			"a second incarnation", found(here, 0, core.Mark{Next: 400, Floor: 9_600}).and(found(here, 1, core.Mark{Next: 4, Floor: 9_700}, core.Mark{Next: 30})), nil,
			with(func(c *core.Checkpoint) {
				c.Newest, c.Segments = 9_700, []core.Segment{{Incarnation: 1, Start: 3, TopicID: id, Floor: 9_600}}
			}),
		},
		{
			"one that began before its least mark", found(here, 2, core.Mark{Next: 40}), &Opening{2, 0},
			with(func(c *core.Checkpoint) { c.Segments = []core.Segment{{Incarnation: 2, TopicID: id}} }),
		},
		{
			"one of which no row tells", found(here, 0, core.Mark{Next: 400, Floor: 9_600}), &Opening{1, 2},
			with(func(c *core.Checkpoint) {
				c.Newest, c.Segments = 9_600, []core.Segment{{Incarnation: 1, Start: 2, TopicID: id, Floor: 9_600}}
			}),
		},
		{
			"a partition that stayed behind", found(there, 1, core.Mark{Next: 9}).and(found(here, 0, core.Mark{Next: 9})), &Opening{},
			blank,
		},
	} {
		got, err := c.found.Checkpoint(Partition{TopicPartition: here, TopicID: id, LogEnd: 50, From: 3, Opening: c.open}, now)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", c.name, err, got, c.want)
		}
	}
}

// Each of these would lose records or double them.
func TestCheckpointIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, why string
		found     Found
		open      *Opening
		changed   bool
	}{
		{"marks of a longer log", "reach to offset 51, past the log's end 50", found(here, 0, core.Mark{Next: 51}), nil, true},
		{"marks of a longer log under the number said", "--incarnation 3@OFFSET", found(here, 2, core.Mark{Next: 51}), &Opening{2, 0}, true},
		{"from before what is known of the incarnation", "[3, 9) that are marked under an earlier one", found(here, 1, core.Mark{Next: 10}, core.Mark{Next: 20}), nil, false},
		{"from before where it is said to begin", "[3, 4)", found(here, 1, core.Mark{Next: 10}), &Opening{1, 4}, false},
		{"a beginning past a record of it", "can't begin at offset 3, since the record at 2", found(here, 1, core.Mark{Next: 3}), &Opening{1, 3}, false},
		{"an earlier incarnation than marks bear", "rows hold marks of incarnation 2", found(here, 2, core.Mark{Next: 3}), &Opening{1, 0}, false},
		{"a topic's partitions that differ", "those of t/1 with 1", found(there, 1, core.Mark{Next: 9}).and(found(here, 0, core.Mark{Next: 9})), nil, false},
	} {
		got, err := c.found.Checkpoint(Partition{TopicPartition: here, LogEnd: 50, From: 3, Opening: c.open}, now)
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: got %+v, %v; want a refusal for %q", c.name, got, err, c.why)
		}
		var stop *core.StopError
		if errors.As(err, &stop) != c.changed {
			t.Errorf("%s: %v has the wrong exit code", c.name, err)
		}
	}
}

func TestOpeningsAreRead(t *testing.T) {
	if o, err := ParseOpening("2@17"); err != nil || *o != (Opening{2, 17}) {
		t.Errorf("got %+v, %v", o, err)
	}
	for _, text := range []string{"", "1", "@", "1@", "@3", "-1@0", "1@-1", "0@5", "a@0", "1@b", "1@0@0", "3000000000@0"} {
		if o, err := ParseOpening(text); err == nil {
			t.Errorf("%q was read as %+v", text, o)
		}
	}
}
