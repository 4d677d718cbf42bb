package connector

import (
	"testing"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// A log truncated at 500 went on as incarnation 1: what lies below has its marks under another name. Of a topic made anew
// nothing has, wherever its incarnation began.
func TestOffsetsOfAnotherLogAreRefused(t *testing.T) {
	tp, first, second := kafka.TopicPartition{Topic: "t"}, kafka.TopicID{1}, kafka.TopicID{2}
	cut := &core.Checkpoint{TopicID: first, Segments: []core.Segment{{Incarnation: 1, Start: 500, TopicID: first}}}
	anew := &core.Checkpoint{TopicID: second, Segments: []core.Segment{{Incarnation: 1, Start: 500, TopicID: second, Anew: true}}}
	for _, c := range []struct {
		held *core.Checkpoint
		to   Place
		code int
	}{
		{cut, Place{499, 1, first}, ExitOther},
		{cut, Place{500, 1, first}, ExitOK},
		{cut, Place{900, 1, first}, ExitOK},
		{cut, Place{900, 0, first}, ExitOther},
		{cut, Place{900, 3, first}, ExitOther},
		{cut, Place{900, 1, second}, ExitLogChanged},
		{cut, Place{3, 2, second}, ExitOK},
		{anew, Place{499, 1, second}, ExitOK},
		{anew, Place{499, 1, first}, ExitLogChanged},
		{&core.Checkpoint{}, Place{}, ExitOK},
		{&core.Checkpoint{}, Place{TopicID: first}, ExitOK},
		{&core.Checkpoint{TopicID: first}, Place{}, ExitOK},
		{&core.Checkpoint{TopicID: first}, Place{TopicID: second}, ExitLogChanged},
	} {
		if err := c.to.Fits(tp, c.held); ExitCode(err) != c.code {
			t.Errorf("to %+v with segments %v: %v", c.to, c.held.Segments, err)
		}
	}
}
