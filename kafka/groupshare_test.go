package kafka

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// claimants reads members such as "a:orders:0,1@5": a name, the topics it wants joined by +, the partitions of the
// first that it owns, and its generation.
func claimants(t *testing.T, text ...string) []claimant {
	t.Helper()
	var out []claimant
	for _, line := range text {
		var gen int32
		head, tail, _ := strings.Cut(line, "@")
		if _, err := fmt.Sscan(tail, &gen); err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(head, ":")
		c := claimant{id: parts[0], topics: map[string]bool{}, generation: gen}
		topics := strings.Split(parts[1], "+")
		for _, topic := range topics {
			c.topics[topic] = true
		}
		for _, n := range strings.Split(parts[2], ",") {
			var p int32
			if _, err := fmt.Sscan(n, &p); err == nil {
				c.owned = append(c.owned, TopicPartition{topics[0], p})
			}
		}
		out = append(out, c)
	}
	return out
}

func shown(given map[string][]TopicPartition) string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(given)) {
		line := id
		for _, tp := range given[id] {
			line += " " + tp.String()
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestShare(t *testing.T) {
	four := partitionsOf(map[string]TopicInfo{"o": {Partitions: []int32{0, 1, 2, 3}}})
	two := partitionsOf(map[string]TopicInfo{"o": {Partitions: []int32{0, 1}}, "p": {Partitions: []int32{0, 1}}})
	for name, x := range map[string]struct {
		partitions []TopicPartition
		members    []string
		want       string
	}{
		"one gets all":                             {four, []string{"a:o:@-1"}, "a o/0 o/1 o/2 o/3"},
		"two begin together":                       {four, []string{"a:o:@-1", "b:o:@-1"}, "a o/0 o/2; b o/1 o/3"},
		"a second comes: its share is given up":    {four, []string{"a:o:0,1,2,3@1", "b:o:@-1"}, "a o/0 o/1; b"},
		"and is dealt out after that":              {four, []string{"a:o:0,1@2", "b:o:@2"}, "a o/0 o/1; b o/2 o/3"},
		"a third comes: one moves":                 {four, []string{"a:o:0,1@2", "b:o:2,3@2", "c:o:@-1"}, "a o/0; b o/2 o/3; c"},
		"one has gone: the others keep theirs":     {four, []string{"b:o:2,3@3", "c:o:1@3"}, "b o/2 o/3; c o/0 o/1"},
		"one more than the other is fair":          {four[:3], []string{"a:o:0@4", "b:o:1,2@4"}, "a o/0; b o/1 o/2"},
		"more members than partitions":             {four[:1], []string{"a:o:@1", "b:o:0@1"}, "a; b o/0"},
		"who was away has lost them":               {four, []string{"a:o:0,1,2,3@3", "b:o:2,3@7"}, "a o/0 o/1; b o/2 o/3"},
		"two that say the same: neither":           {four[:2], []string{"a:o:0,1@3", "b:o:0,1@3"}, "a o/0; b o/1"},
		"a partition that is no more":              {four[:2], []string{"a:o:0,1,7@3"}, "a o/0 o/1"},
		"a topic that one no longer wants":         {two, []string{"a:p:0,1@3", "b:o+p:@3"}, "a p/0 p/1; b o/0 o/1"},
		"what the owner does not want is free":     {two[:2], []string{"a:p:@3", "b:o:0@3"}, "a; b o/0 o/1"},
		"nobody wants the topic":                   {two[:2], []string{"a:p:@3"}, "a"},
		"the larger topic of the two gives one up": {two, []string{"a:o+p:0,1@3", "b:p:@3"}, "a o/0 o/1; b p/0 p/1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown(share(claimants(t, x.members...), x.partitions)); got != x.want {
				t.Errorf("got  %s\nwant %s", got, x.want)
			}
		})
	}
}

// Members come and go at random. When they have met often enough for all to be given up that was to be, shares are even;
// nobody ever gets what another has; and nobody gives up more than what it has beyond its share.
func TestShareSettles(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var partitions []TopicPartition
		for i := range 1 + rnd.IntN(40) {
			partitions = append(partitions, TopicPartition{fmt.Sprintf("t%d", i%3), int32(i / 3)})
		}
		all := map[string]bool{"t0": true, "t1": true, "t2": true}
		owned := map[string][]TopicPartition{}
		for step := range 12 {
			if len(owned) < 2 || rnd.IntN(2) == 0 {
				owned[fmt.Sprintf("m%d", step)] = nil
			} else {
				gone := slices.Sorted(maps.Keys(owned))
				delete(owned, gone[rnd.IntN(len(gone))])
			}
			for range 2 {
				owned = meet(t, owned, partitions, all, int32(step))
			}
			total := 0
			for id, tps := range owned {
				total += len(tps)
				if fair := len(partitions) / len(owned); len(tps) < fair || len(tps) > fair+1 {
					t.Fatalf("seed %d: %s has %d of %d partitions, of %d members", seed, id, len(tps), len(partitions), len(owned))
				}
			}
			if total != len(partitions) {
				t.Fatalf("seed %d: %d of %d partitions have an owner", seed, total, len(partitions))
			}
		}
	}
}

// meet is one generation: what the members have afterwards.
func meet(t *testing.T, owned map[string][]TopicPartition, partitions []TopicPartition, topics map[string]bool, generation int32) map[string][]TopicPartition {
	t.Helper()
	var members []claimant
	ownerOf := map[TopicPartition]string{}
	for id, tps := range owned {
		members = append(members, claimant{id: id, topics: topics, owned: tps, generation: generation})
		for _, tp := range tps {
			ownerOf[tp] = id
		}
	}
	given := share(members, partitions)
	least := len(partitions) / len(owned)
	for id, tps := range given {
		kept := 0
		for _, tp := range tps {
			if was, ok := ownerOf[tp]; ok && was != id {
				t.Fatalf("%s gets %s, which %s has", id, tp, was)
			} else if ok {
				kept++
			}
		}
		if had := len(owned[id]); kept < min(had, least) {
			t.Fatalf("%s had %d, keeps %d, and its share is %d", id, had, kept, least)
		}
	}
	return given
}

func TestGroupMessages(t *testing.T) {
	owned := map[TopicPartition]bool{{"o", 3}: true, {"o", 1}: true, {"p", 0}: true}
	got, err := readSubscription("m", subscription([]string{"o", "p"}, owned, 9))
	slices.SortFunc(got.owned, compareTP)
	if err != nil || got.generation != 9 || !got.topics["p"] || fmt.Sprint(got.owned) != "[o/1 o/3 p/0]" {
		t.Errorf("%v, %+v", err, got)
	}
	tps, err := readAssignment(assignment([]TopicPartition{{"p", 2}, {"o", 7}}))
	if err != nil || fmt.Sprint(tps) != "[o/7 p/2]" {
		t.Errorf("%v, %v", err, tps)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 10_000 { // another program in the group may send anything
		b := make([]byte, rnd.IntN(40))
		for i := range b {
			b[i] = byte(rnd.IntN(4))
		}
		_, _ = readSubscription("m", b)
		_, _ = readAssignment(b)
	}
}
