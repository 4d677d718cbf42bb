package kafka

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// claimant is a member of the group as it asks to be given partitions.
type claimant struct {
	id         string
	topics     map[string]bool
	owned      []TopicPartition
	generation int32 // in which it came to own them
}

// share deals partitions out: each member keeps what it owns, unless that is more than its share. Where all members
// want the same topics, their counts differ by one at the most. A partition that still has another owner is left out
// of the answer: it is dealt out when that owner has given it up and the members meet again.
func share(members []claimant, partitions []TopicPartition) map[string][]TopicPartition {
	members, partitions = slices.Clone(members), slices.Clone(partitions)
	slices.SortFunc(members, func(a, b claimant) int { return strings.Compare(a.id, b.id) })
	slices.SortFunc(partitions, compareTP)
	s := sharing{members: members, owner: owners(members), has: make([][]TopicPartition, len(members))}
	var free []TopicPartition
	for _, tp := range partitions {
		if at, ok := s.owner[tp]; ok {
			s.has[at] = append(s.has[at], tp)
		} else {
			free = append(free, tp)
		}
	}
	for _, tp := range free {
		if to := s.least(tp.Topic); to >= 0 {
			s.has[to] = append(s.has[to], tp)
		}
	}
	for s.even() {
	}
	return s.handOver()
}

// owners says which member owns a partition, as a place in members. Of two that claim one, the member of the later
// generation owns it: the other was away meanwhile. In one generation neither does.
func owners(members []claimant) map[TopicPartition]int {
	out, best := map[TopicPartition]int{}, map[TopicPartition]int32{}
	for i, m := range members {
		for _, tp := range m.owned {
			was, claimed := best[tp]
			switch {
			case !m.topics[tp.Topic] || claimed && m.generation < was:
			case claimed && m.generation == was:
				delete(out, tp)
			default:
				out[tp], best[tp] = i, m.generation
			}
		}
	}
	return out
}

// sharing is the state of one deal. Members are places in its list.
type sharing struct {
	members []claimant
	owner   map[TopicPartition]int
	has     [][]TopicPartition
}

// least is the member with the fewest partitions among those that want the topic; -1: none does.
func (s *sharing) least(topic string) int {
	to := -1
	for i, m := range s.members {
		if m.topics[topic] && (to < 0 || len(s.has[i]) < len(s.has[to])) {
			to = i
		}
	}
	return to
}

// even moves one partition from a member to one that has at least two less; false: there is no such pair.
func (s *sharing) even() bool {
	places := make([]int, len(s.members))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(len(s.has[b]), len(s.has[a])) })
	for _, from := range places {
		for _, to := range slices.Backward(places) {
			if len(s.has[from])-len(s.has[to]) < 2 {
				break
			}
			if at := s.pick(from, to); at >= 0 {
				s.has[to] = append(s.has[to], s.has[from][at])
				s.has[from] = slices.Delete(s.has[from], at, at+1)
				return true
			}
		}
	}
	return false
}

// pick chooses which of a member's partitions another gets, as a place in its list: one that it does not own yet if
// there is one, else one of the topic that it has the most of; -1: the other wants none of them.
func (s *sharing) pick(from, to int) int {
	count := map[string]int{}
	for _, tp := range s.has[from] {
		count[tp.Topic]++
	}
	best, most := -1, 0
	for i, tp := range s.has[from] {
		if !s.members[to].topics[tp.Topic] {
			continue
		}
		if at, ok := s.owner[tp]; !ok || at != from {
			return i
		}
		if n := count[tp.Topic]; n >= most { // the last of them: the first ones stay longest
			best, most = i, n
		}
	}
	return best
}

// handOver is what the members get now: all but what another member has to give up first.
func (s *sharing) handOver() map[string][]TopicPartition {
	out := map[string][]TopicPartition{}
	for i, m := range s.members {
		out[m.id] = slices.DeleteFunc(s.has[i], func(tp TopicPartition) bool {
			at, owned := s.owner[tp]
			return owned && at != i
		})
		slices.SortFunc(out[m.id], compareTP)
	}
	return out
}

// partitionsOf lists the partitions of topics, sorted.
func partitionsOf(topics map[string]TopicInfo) []TopicPartition {
	var out []TopicPartition
	for _, name := range slices.Sorted(maps.Keys(topics)) {
		for _, p := range topics[name].Partitions {
			out = append(out, TopicPartition{name, p})
		}
	}
	return out
}

func compareTP(a, b TopicPartition) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}
