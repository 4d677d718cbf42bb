package e2e

import (
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// TestTopicRecreatedAndSet deletes the topic and makes it anew, longer than it was, and has the operator say where to go on.
func TestTopicRecreatedAndSet(t *testing.T) {
	s := newStruck(t, 1)
	s.send(200, time.Hour)
	s.once(s.config)
	want := s.foldMixed(s.committed(s.topic))
	s.recreate(s.topic)
	s.sendAnew(300)
	s.start(s.config).ends(10, "the topic was created again", "kafka.log_changed: new-incarnation")
	s.offsets("set", "--to", "earliest", "--yes").ends(10, "--new-incarnation")
	s.offsets("set", "--to", "earliest", "--new-incarnation", "--yes").ends(0, "incarnation 1 of the log begins here")
	s.once(s.config)
	s.foldMixedInto(want, "#1", s.committed(s.topic))
	s.judge(want)
}

// TestClusterReplacedByAMirror has another Kafka cluster take the place of the first: it holds the records from the middle
// on, at other offsets, and those that were not applied yet. From the time of the first of these on, each comes once; a time
// that is too early by some records applies these twice, which is why the runbook says how to find the exact one.
func TestClusterReplacedByAMirror(t *testing.T) {
	cluster.NeedReal(t)
	const applied, all, mirrored = 200, 300, 50 // records, and the first that the mirror holds
	k, err := cluster.StartKafka(t.Context(), cluster.KafkaOptions{Options: cluster.TestOptions()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Stop() })
	for name, early := range map[string]int{"exact": 0, "early": 3} {
		t.Run(name, func(t *testing.T) {
			s := newStruck(t, 1)
			records := s.records(all, 0)
			began := time.Now().Add(-time.Hour).Truncate(time.Second)
			for i, r := range records {
				r.Timestamp = began.Add(time.Duration(i) * time.Second)
			}
			s.produce(records[:applied]...)
			s.once(s.config)
			s.produce(records[applied:]...)
			old := s.committed(s.topic)

			s.follow(k)
			var copies []*kgo.Record
			for _, r := range old[mirrored:] {
				copies = append(copies, &kgo.Record{Topic: r.Topic, Partition: r.Partition, Key: r.Key, Value: r.Value, Timestamp: r.Timestamp})
			}
			s.produce(copies...)
			s.start(s.config).ends(2, "belongs to the Kafka cluster", "rowmark offsets set --new-incarnation")
			at := old[applied-early].Timestamp.UTC().Format(time.RFC3339)
			s.offsets("set", "--to", at, "--yes").ends(2, "belongs to the Kafka cluster")
			s.offsets("set", "--to", at, "--new-incarnation", "--yes").ends(0, "incarnation 1 of the log begins here", "belongs to the Kafka cluster "+k.ID()+" now")
			s.once(s.config)
			want := s.foldMixed(old[:applied])
			s.foldMixedInto(want, "#1", s.committed(s.topic)[applied-early-mirrored:])
			s.judge(want)
		})
	}
}

// follow has the world and its configuration go over to another Kafka cluster.
func (s *struck) follow(k *cluster.Kafka) {
	s.t.Helper()
	s.brokers = k.Brokers()
	s.client = s.producer()
	s.admin = kadm.NewClient(s.client)
	s.topic, s.config = s.world.topic("in", int32(s.partitions), nil), s.world.config(mixedTables)
}
