package connector

import (
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/kafka"
)

func TestSights(t *testing.T) {
	var s sights
	a, b := kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}
	type read = map[kafka.TopicPartition]core.Position
	want := func(tp kafka.TopicPartition, beat uint64, at time.Duration) {
		t.Helper()
		p, since := s.of(tp)
		if p == nil || p.Beat != beat || since != at {
			t.Errorf("%s: %+v since %s, want beat %d since %s", tp, p, since, beat, at)
		}
	}
	if p, _ := s.of(a); p != nil {
		t.Error("it has seen something before it looked")
	}
	s.update(1*time.Second, read{a: {Beat: 1}, b: {Beat: 1}})
	s.update(3*time.Second, read{a: {Beat: 1}, b: {Beat: 2}})
	want(a, 1, time.Second)
	want(b, 2, 3*time.Second)
	s.update(5*time.Second, read{a: {Beat: 1}})
	want(a, 1, time.Second)
	if p, _ := s.of(b); p != nil {
		t.Error("a checkpoint that is gone is remembered")
	}
	s.update(7*time.Second, read{a: {Beat: 1}, b: {Beat: 2}})
	want(b, 2, 7*time.Second) // it may have been another meanwhile
}
