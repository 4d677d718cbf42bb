package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// members is a consumer group of connectors, and a producer that goes on beside them.
type members struct {
	*world
	config     string
	topic      string
	partitions int
	args       []string
	all        []*process
	load       sync.WaitGroup
	end        chan struct{}
}

func newMembers(t *testing.T, partitions int, args ...string) *members {
	t.Helper()
	w := newWorld(t)
	m := &members{world: w, topic: w.topic("in", int32(partitions), nil), partitions: partitions, end: make(chan struct{})}
	// The usual settings of what the handover takes its time from.
	m.config = w.configFile(strings.Replace(readFile(t, w.config(mixedTables)), "checkpoint: {interval: 300ms, lease: 1s}\n", "", 1))
	m.args = append([]string{"--set", "kafka.assignment=group", "--set", "kafka.group_id=" + w.name, "--set", "kafka.mirror_positions=true"}, args...)
	w.init(m.config)
	m.load.Go(m.produceOn)
	return m
}

// produceOn writes records until the end, about 4,000 a second.
func (m *members) produceOn() {
	rnd := rand.New(rand.NewPCG(5, 5))
	for at := 0; ; at += 200 {
		select {
		case <-m.end:
			return
		case <-time.After(50 * time.Millisecond):
			m.produce(mixedRecords(rnd, m.topic, m.partitions, at, 200, 500)...)
		}
	}
}

// join starts a member.
func (m *members) join() *process {
	m.t.Helper()
	p := m.start(m.config, m.args...)
	m.all = append(m.all, p)
	return p
}

// line is one of a process's log.
type line struct {
	Time       time.Time
	Message    string
	Topic      string
	Partition  int32
	Partitions []string
}

func (p *process) lines(message string) []line {
	p.t.Helper()
	var out []line
	for text := range strings.Lines(p.output()) {
		var l line
		if json.Unmarshal([]byte(text), &l) == nil && l.Message == message {
			out = append(out, l)
		}
	}
	return out
}

const (
	taken    = "partition taken"
	assigned = "group: partitions assigned"
	revoked  = "group: partitions revoked"
)

// owns is what a member was given and not asked for again.
func (p *process) owns() []string {
	p.t.Helper()
	count := map[string]int{}
	for message, n := range map[string]int{assigned: 1, revoked: -1} {
		for _, l := range p.lines(message) {
			for _, tp := range l.Partitions {
				count[tp] += n
			}
		}
	}
	var out []string
	for tp, n := range count {
		if n > 0 {
			out = append(out, tp)
		}
	}
	slices.Sort(out)
	return out
}

// gaveUp is how many partitions were taken from a member so far.
func (p *process) gaveUp() int {
	n := 0
	for _, l := range p.lines(revoked) {
		n += len(l.Partitions)
	}
	return n
}

// share waits until the members have so many partitions each, and all of them are taken. It gives the time of the last
// taking.
func (m *members) share(want map[*process]int) time.Time {
	m.t.Helper()
	var last time.Time
	eventually(m.t, fmt.Sprintf("shares of %v", slices.Sorted(maps.Values(want))), func() bool {
		last = time.Time{}
		for p, n := range want {
			owns := p.owns()
			if len(owns) != n {
				return false
			}
			for _, tp := range owns {
				at := p.took(tp)
				if at.IsZero() {
					return false
				}
				if at.After(last) {
					last = at
				}
			}
		}
		return true
	})
	return last
}

// took is when a member last took a partition, since it was given to it last; zero: not yet.
func (p *process) took(tp string) time.Time {
	var given, at time.Time
	for _, l := range p.lines(assigned) {
		if slices.Contains(l.Partitions, tp) {
			given = l.Time
		}
	}
	for _, l := range p.lines(taken) {
		if fmt.Sprintf("%s/%d", l.Topic, l.Partition) == tp && !l.Time.Before(given) {
			at = l.Time
		}
	}
	return at
}

// within demands that a handover took no longer than three times its target, and says what it took.
func (m *members) within(what string, took, target time.Duration) {
	m.t.Helper()
	m.t.Logf("%s: %s after, the target is %s", what, took.Round(time.Millisecond), target)
	if took > 3*target {
		m.t.Errorf("%s: %s after, the target is %s", what, took, target)
	}
}

// finish ends the load, waits for the log's end, stops the members and counts.
func (m *members) finish() {
	m.t.Helper()
	close(m.end)
	m.load.Wait()
	m.caughtUp(m.config, m.partitions)
	for _, p := range m.all {
		if p.alive() {
			p.signal(syscall.SIGTERM)
			p.ends(0)
		}
	}
	m.verify(m.foldMixed(m.committed(m.topic)))
}
