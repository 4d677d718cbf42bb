package main

import (
	"strings"
	"testing"
	"time"

	"rowmark/connector"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// The mirror holds the records at other offsets, and more. From the time that is named, each is applied once; the marks of
// the old cluster's offsets, which lie above the new ones, hide none of them.
func TestClusterReplacedByAMirror(t *testing.T) {
	m := newMoving(t)
	m.produce(0, noon, "a", "b", "c", "d", "e")
	m.produce(1, noon, "p", "q")
	m.once()
	m.use(m.newBrokers("second"))
	m.produce(0, noon.Add(3*time.Second), "d", "e", "f", "a")
	m.produce(1, noon.Add(time.Second), "q", "r")

	m.run("run", "--once").wants(t, connector.ExitConfig, "", "offsets set --new-incarnation")
	set := []string{"offsets", "set", "--yes", "--to", "2026-11-01T12:00:05Z"}
	m.run(set...).wants(t, connector.ExitConfig, "", "belongs to the Kafka cluster first")
	set = append(set, "--new-incarnation")
	for _, some := range [][]string{{"--partition", "in/0"}, {"--topic", "in"}} {
		m.run(append(set, some...)...).wants(t, connector.ExitConfig, "", "all its partitions do at once")
	}
	got := m.run(set...)
	got.wants(t, 0, "in/0: 5 -> 2: incarnation 1 of the log begins here under marks of its own: 2 offsets are applied whatever the rows hold of the log before, the first of 2026-11-01T12:00:05Z (", "")
	got.wants(t, 0, " ago); the 2 before them are not read\n", "")
	got.wants(t, 0, "sink s belongs to the Kafka cluster second now\n", "")
	m.once()
	m.applied("a2 b1 c1 d1 e1 f1 p1 q1")

	// Partition 1 was set too late: it has no record from 12:00:05 on. Its incarnation reaches further back now.
	m.run("offsets", "set", "--yes", "--to", "1", "--partition", "in/1").wants(t, 0, "in/1: 2 -> 1: 1 offsets will be read again", "")
	m.once()
	m.once()
	m.applied("a2 b1 c1 d1 e1 f1 p1 q1 r1")
	// And the same again doubles nothing, with the flag or without.
	for _, more := range [][]string{nil, {"--new-incarnation"}} {
		got := m.run(append([]string{"offsets", "set", "--yes", "--to", "2", "--partition", "in/0"}, more...)...)
		got.wants(t, 0, "in/0: 4 -> 2: 2 offsets will be read again", "")
		if said := strings.Contains(got.out, "\nin/0: the log is the one it was: --new-incarnation does nothing here\n"); said != (more != nil) {
			t.Errorf("%v: %s", more, got.out)
		}
		m.once()
		m.applied("a2 b1 c1 d1 e1 f1 p1 q1 r1")
	}
}

// The offsets of a topic created again mean other records: a place among them is refused until the operator says that it is
// meant, and then the old marks hide none of the new records.
func TestTopicCreatedAgainIsNoPlaceOfTheOldOne(t *testing.T) {
	m := newMoving(t)
	m.produce(0, noon, "a", "b", "c", "d", "e")
	m.once()
	m.recreate()
	m.produce(0, noon, "x", "a", "b")
	set := []string{"offsets", "set", "--yes", "--to", "1", "--partition", "in/0"}
	m.run(set...).wants(t, connector.ExitLogChanged, "", "rowmark offsets set --new-incarnation")
	if p := m.positions()[0]; *p.Checkpoint != 5 || p.Epoch == 0 {
		t.Errorf("a refused set left %+v", p)
	}
	m.run(append(set, "--new-incarnation")...).wants(t, 0, "in/0: 5 -> 1: incarnation 1 of the log begins here", "")
	m.run("offsets", "set", "--yes", "--to", "earliest", "--topic", "in", "--new-incarnation").wants(t, 0, "in/1: 0 -> 0: incarnation 1", "")
	m.once()
	m.applied("a2 b2 c1 d1 e1 x1")
}
