package connector

import (
	"testing"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// A log truncated at 500 went on as incarnation 1: what lies below has its marks under another name.
func TestOffsetBeforeIncarnationIsRefused(t *testing.T) {
	tp := kafka.TopicPartition{Topic: "t"}
	cut := &core.Checkpoint{Segments: []core.Segment{{Incarnation: 1, Start: 500}}}
	for _, c := range []struct {
		held *core.Checkpoint
		to   int64
		ok   bool
	}{{cut, 499, false}, {cut, 500, true}, {cut, 900, true}, {&core.Checkpoint{}, 0, true}} {
		if err := ownLog(tp, c.held, c.to); err == nil != c.ok {
			t.Errorf("to %d with segments %v: %v", c.to, c.held.Segments, err)
		}
	}
}
