package connector

import (
	"testing"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// TestAnswersNobodyWaitsForCountNowhere: a range is counted when the request for it was open.
func TestAnswersNobodyWaitsForCountNowhere(t *testing.T) {
	var f fetches
	a, b := kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}
	f.put(core.Fetch{TopicPartition: a})
	f.put(core.Fetch{TopicPartition: b})
	for _, tp := range []kafka.TopicPartition{a, a, b} {
		f.take(tp)
	}
	if got := f.answered(); got != 2 {
		t.Errorf("%d ranges count as read, want 2", got)
	}
}
