package kafka

import (
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// groupProtocol names how partitions are shared out. All members must speak it, so that no consumer of another kind
// takes partitions away by using the same group. The messages are those of Kafka's own consumers, for tools.
const (
	groupProtocol     = "rowmark-sticky"
	groupProtocolType = "consumer"
)

// subscriptionVersion is the first that tells in which generation partitions came to be owned.
const subscriptionVersion = 2

// subscription encodes what a member wants and owns.
func subscription(topics []string, owned map[TopicPartition]bool, generation int32) []byte {
	m := kmsg.NewConsumerMemberMetadata()
	m.Version, m.Topics, m.Generation = subscriptionVersion, topics, generation
	for topic, parts := range byTopic(slices.Collect(maps.Keys(owned))) {
		o := kmsg.NewConsumerMemberMetadataOwnedPartition()
		o.Topic, o.Partitions = topic, parts
		m.OwnedPartitions = append(m.OwnedPartitions, o)
	}
	return m.AppendTo(nil)
}

// readSubscription decodes what a member wants and owns.
func readSubscription(id string, b []byte) (claimant, error) {
	m := kmsg.NewConsumerMemberMetadata()
	if err := m.ReadFrom(b); err != nil {
		return claimant{}, fmt.Errorf("reading what member %s of the group wants: %w", id, err)
	}
	c := claimant{id: id, topics: map[string]bool{}, generation: m.Generation}
	for _, t := range m.Topics {
		c.topics[t] = true
	}
	for _, o := range m.OwnedPartitions {
		for _, p := range o.Partitions {
			c.owned = append(c.owned, TopicPartition{o.Topic, p})
		}
	}
	return c, nil
}

// assignment encodes what a member gets.
func assignment(tps []TopicPartition) []byte {
	a := kmsg.NewConsumerMemberAssignment()
	for topic, parts := range byTopic(tps) {
		t := kmsg.NewConsumerMemberAssignmentTopic()
		t.Topic, t.Partitions = topic, parts
		a.Topics = append(a.Topics, t)
	}
	return a.AppendTo(nil)
}

// readAssignment decodes what this member gets; no bytes are no partitions.
func readAssignment(b []byte) ([]TopicPartition, error) {
	if len(b) == 0 {
		return nil, nil
	}
	a := kmsg.NewConsumerMemberAssignment()
	if err := a.ReadFrom(b); err != nil {
		return nil, fmt.Errorf("reading which partitions the group gives: %w", err)
	}
	var out []TopicPartition
	for _, t := range a.Topics {
		for _, p := range t.Partitions {
			out = append(out, TopicPartition{t.Topic, p})
		}
	}
	slices.SortFunc(out, compareTP)
	return out, nil
}

func byTopic(tps []TopicPartition) map[string][]int32 {
	out := map[string][]int32{}
	for _, tp := range tps {
		out[tp.Topic] = append(out[tp.Topic], tp.Partition)
	}
	return out
}
