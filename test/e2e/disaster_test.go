package e2e

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// struck is a world of mixedTables on which a disaster falls: puts, counters, appends and deletes.
type struck struct {
	*world
	topic, config string
	partitions    int

	rnd  *rand.Rand
	sent int
}

// newStruck makes the tables, and a checkpoint table that no other test loses anything by.
func newStruck(t *testing.T, partitions int) *struck {
	t.Helper()
	return newStruckOn(newWorld(t), partitions)
}

// newStruckOn is newStruck on the services of a world.
func newStruckOn(w *world, partitions int) *struck {
	w.t.Helper()
	w.keeps = w.name + "_checkpoints"
	s := &struck{world: w, partitions: partitions, rnd: rand.New(rand.NewPCG(7, uint64(partitions)))}
	s.topic, s.config = w.topic("in", int32(partitions), nil), w.config(mixedTables)
	w.init(s.config)
	return s
}

// struckKeys are so few that most rows are written by many records.
const struckKeys = 20

// records makes the next n records, of a time so long ago.
func (s *struck) records(n int, ago time.Duration) []*kgo.Record {
	out := mixedRecords(s.rnd, s.topic, s.partitions, s.sent, n, struckKeys)
	s.sent += n
	for _, r := range out {
		r.Timestamp = r.Timestamp.Add(-ago)
	}
	return out
}

func (s *struck) send(n int, ago time.Duration) {
	s.t.Helper()
	s.produce(s.records(n, ago)...)
}

// offsets runs rowmark offsets.
func (s *struck) offsets(args ...string) *process {
	s.t.Helper()
	return command(s.t, nil, append([]string{"offsets", "-c", s.config}, args...)...)
}

// loseCheckpoints takes the checkpoints' rows away.
func (s *struck) loseCheckpoints() {
	s.t.Helper()
	for _, row := range []string{"/0", "/1"}[:s.partitions] {
		s.hbase("deleteall", s.keeps, hexOf(s.sink()+"/"+s.topic+row), "-")
	}
}

// sendAnew sends to the topic when it was made anew: by a client that knows nothing of the old one, once it takes records.
func (s *struck) sendAnew(n int) {
	s.t.Helper()
	s.client = s.producer()
	records := s.records(n, 0)
	eventually(s.t, "the topic to take records", func() bool {
		return s.client.ProduceSync(s.t.Context(), records[0]).FirstErr() == nil
	})
	s.produce(records[1:]...)
}

// judge compares the tables with the truth, and has rowmark verify say that they are right, as an operator would.
func (s *struck) judge(want truth) {
	s.t.Helper()
	s.verify(want)
	command(s.t, nil, "verify", "-c", s.config).ends(0)
}
