package kafka

import (
	"errors"
	"testing"
)

// A broker that was cut off tells of leaders of the past; a topic created again starts from nothing.
func TestOldLeadersDoNotComeBack(t *testing.T) {
	meta := func(id byte, leader, epoch int32) *topicMeta {
		return &topicMeta{info: TopicInfo{Name: "orders", ID: TopicID{id}}, parts: map[int32]partMeta{0: {leader, epoch}}}
	}
	for _, c := range []struct {
		old, got *topicMeta
		want     int32
	}{
		{nil, meta(1, 5, 3), 5},
		{meta(1, 4, 2), meta(1, 5, 3), 5},
		{meta(1, 4, 3), meta(1, 5, 3), 5},
		{meta(1, 4, 4), meta(1, 5, 3), 4},
		{meta(2, 4, 4), meta(1, 5, 3), 5},
	} {
		c.got.keepNewer(c.old)
		if p, err := c.got.leaderOf(TopicPartition{"orders", 0}); err != nil || p.leader != c.want {
			t.Errorf("leader %d, want %d: %v", p.leader, c.want, err)
		}
	}
}

func TestLeaderOf(t *testing.T) {
	odd := errors.New("odd")
	tp := TopicPartition{"orders", 1}
	for _, c := range []struct {
		name    string
		meta    *topicMeta
		unknown bool
		err     error
	}{
		{"no topic", nil, true, nil},
		{"unknown topic", &topicMeta{info: TopicInfo{Err: &UnknownTopicError{tp}}}, true, nil},
		{"other trouble", &topicMeta{info: TopicInfo{Err: odd}}, false, odd},
		{"topic without partitions yet", &topicMeta{}, false, errNoLeader},
		{"no such partition", &topicMeta{parts: map[int32]partMeta{0: {1, 1}}}, true, nil},
		{"no leader", &topicMeta{parts: map[int32]partMeta{1: {-1, 1}}}, false, errNoLeader},
	} {
		_, err := c.meta.leaderOf(tp)
		var unknown *UnknownTopicError
		if errors.As(err, &unknown) != c.unknown || c.err != nil && !errors.Is(err, c.err) || err == nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
