package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
)

// Partition is what the brokers say of one partition.
type Partition struct {
	Partition     int32
	Leader        int32 // broker id, -1 if there is none
	Epoch         int32
	Replicas, ISR []int32
}

// Partitions asks once for a topic's partitions, in order of their number. An
// answer may be as old as the broker that gave it.
func (a *KafkaAdmin) Partitions(ctx context.Context, topic string) ([]Partition, error) {
	m, err := a.adm.Metadata(ctx, topic)
	if err != nil {
		return nil, fmt.Errorf("asking for the partitions of %s: %w", topic, err)
	}
	t := m.Topics[topic]
	if t.Err != nil {
		return nil, fmt.Errorf("asking for the partitions of %s: %w", topic, t.Err)
	}
	var out []Partition
	for _, p := range t.Partitions {
		out = append(out, Partition{Partition: p.Partition, Leader: p.Leader, Epoch: p.LeaderEpoch, Replicas: p.Replicas, ISR: p.ISR})
	}
	slices.SortFunc(out, func(x, y Partition) int { return cmp.Compare(x.Partition, y.Partition) })
	return out, nil
}

func (a *KafkaAdmin) partition(ctx context.Context, topic string, partition int32) (Partition, error) {
	ps, err := a.Partitions(ctx, topic)
	if err != nil {
		return Partition{}, err
	}
	if i := slices.IndexFunc(ps, func(p Partition) bool { return p.Partition == partition }); i >= 0 {
		return ps[i], nil
	}
	return Partition{}, fmt.Errorf("asking for partition %s/%d: there is none", topic, partition)
}

// Leader waits for a leader of the partition other than the broker not (give
// -1 for any), and returns its broker id.
func (a *KafkaAdmin) Leader(ctx context.Context, topic string, partition, not int32) (int32, error) {
	var leader int32
	err := until(ctx, fmt.Sprintf("waiting for a leader of %s/%d", topic, partition), func(ctx context.Context) (bool, error) {
		p, err := a.partition(ctx, topic, partition)
		leader = p.Leader
		return err == nil && leader >= 0 && leader != not, err
	})
	return leader, err
}

// MoveLeader makes the broker lead the partition, by putting it first among
// the replicas and electing the preferred one. It waits until the broker, which
// must hold a replica, is in sync, and until it leads.
func (a *KafkaAdmin) MoveLeader(ctx context.Context, topic string, partition, broker int32) error {
	return until(ctx, fmt.Sprintf("moving the leader of %s/%d to broker %d", topic, partition, broker), func(ctx context.Context) (bool, error) {
		p, err := a.partition(ctx, topic, partition)
		if err != nil || p.Leader == broker {
			return err == nil, err
		}
		if !slices.Contains(p.ISR, broker) {
			return false, fmt.Errorf("broker %d is not in sync", broker)
		}
		if p.Replicas[0] != broker {
			order := slices.DeleteFunc(slices.Clone(p.Replicas), func(b int32) bool { return b == broker })
			var req kadm.AlterPartitionAssignmentsReq
			req.Assign(topic, partition, append([]int32{broker}, order...))
			rs, err := a.adm.AlterPartitionAssignments(ctx, req)
			return false, cmp.Or(err, rs.Error())
		}
		return false, a.elect(ctx, kadm.ElectPreferredReplica, topic, partition)
	})
}

// ElectUnclean lets any live replica lead a partition that has no leader. What
// only the replicas that are away hold is lost when they come back.
func (a *KafkaAdmin) ElectUnclean(ctx context.Context, topic string, partition int32) error {
	return until(ctx, fmt.Sprintf("electing a leader of %s/%d that may lack records", topic, partition), func(ctx context.Context) (bool, error) {
		p, err := a.partition(ctx, topic, partition)
		if err != nil || p.Leader >= 0 {
			return err == nil, err
		}
		return false, a.elect(ctx, kadm.ElectLiveReplica, topic, partition)
	})
}

func (a *KafkaAdmin) elect(ctx context.Context, how kadm.ElectLeadersHow, topic string, partition int32) error {
	var set kadm.TopicsSet
	set.Add(topic, partition)
	rs, err := a.adm.ElectLeaders(ctx, how, set)
	if err != nil {
		return err
	}
	r, ok := rs[topic][partition]
	if !ok {
		return errors.New("kafka's answer lacks the partition")
	}
	return r.Err
}
