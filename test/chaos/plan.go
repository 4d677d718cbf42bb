package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// lane is a line of episodes that follow one another; lanes run beside each other, so that faults of several kinds
// meet.
type lane string

const (
	hbaseLane lane = "hbase" // region servers, master, tables
	kafkaLane lane = "kafka" // brokers, topics, the connectors' processes
	netLane   lane = "net"   // what the proxy does to frames
)

var lanes = []lane{hbaseLane, kafkaLane, netLane}

// episode is one fault, at its time.
type episode struct {
	N     int
	Class string
	Lane  lane
	At    time.Duration // not before this long after the start
	Seed  uint64
}

func (e episode) String() string {
	return fmt.Sprintf("%4d  %6.1fs  %-6s %-22s seed %d", e.N, e.At.Seconds(), e.Lane, e.Class, e.Seed)
}

// classCost is what the plan must know of a class.
type classCost struct {
	Name string
	Lane lane
	Cost time.Duration // about how long an episode takes, recovery included
}

const (
	calm = 30 * time.Second // without faults, at the start, to measure the throughput
	// leastGap is the quiet time behind an episode on the whole; the seed spreads it.
	leastGap = 4 * time.Second
)

// draw makes the plan: each class once in a random order, then again, as long as the time lasts; the last rounds of a
// lane are cut where the time ends. The gaps between episodes share what time is left.
func draw(seed uint64, length time.Duration, classes []classCost) []episode {
	var plan []episode
	for i, l := range lanes {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		plan = append(plan, drawLane(rnd, l, length, slices.DeleteFunc(slices.Clone(classes), func(c classCost) bool { return c.Lane != l }))...)
	}
	slices.SortStableFunc(plan, func(a, b episode) int { return int(a.At - b.At) })
	for i := range plan {
		plan[i].N = i + 1
	}
	return plan
}

func drawLane(rnd *rand.Rand, l lane, length time.Duration, classes []classCost) []episode {
	if len(classes) == 0 {
		return nil
	}
	room := length - calm
	var chosen []classCost
	var used time.Duration
	for round := 0; ; round++ {
		for _, i := range rnd.Perm(len(classes)) {
			cost := classes[i].Cost + leastGap
			if round > 0 && used+cost > room {
				return spread(rnd, l, room-used, chosen)
			}
			used += cost
			chosen = append(chosen, classes[i])
		}
	}
}

// spread lays episodes out, with the free time as gaps between them.
func spread(rnd *rand.Rand, l lane, free time.Duration, chosen []classCost) []episode {
	weights, sum := make([]float64, len(chosen)), 0.0
	for i := range weights {
		weights[i] = rnd.Float64()
		sum += weights[i]
	}
	at := calm
	out := make([]episode, len(chosen))
	for i, c := range chosen {
		at += leastGap + time.Duration(float64(max(0, free))*weights[i]/sum)
		out[i] = episode{Class: c.Name, Lane: l, At: at, Seed: rnd.Uint64()}
		at += c.Cost
	}
	return out
}
