package kafka

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/test/cluster"
)

func startKafka(t *testing.T, o cluster.KafkaOptions) *cluster.Kafka {
	t.Helper()
	cluster.NeedReal(t)
	o.Options = cluster.TestOptions()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	k, err := cluster.StartKafka(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Stop(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// Leaders that are killed or paused are ridden out by one and the same reader.
func TestRealLeaderChange(t *testing.T) {
	k := startKafka(t, cluster.KafkaOptions{
		Nodes: 3,
		Config: map[string]string{
			"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
			// A follower would wait 30 s for a paused leader, and until then no high watermark moves.
			"replica.socket.timeout.ms": "2000",
		},
	})
	p := producer(t, k.Brokers(), kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RequestTimeoutOverhead(2*time.Second), kgo.ProduceRequestTimeout(2*time.Second))
	adm := kadm.NewClient(p)
	topic := makeTopic(t, adm, 1, 3, "min.insync.replicas", "2")
	tp := TopicPartition{topic, 0}
	c := open(t, Config{Brokers: k.Brokers(), ReadCommitted: true})
	pull := newPuller(t, c)
	leader := func() int {
		t.Helper()
		meta, err := adm.Metadata(testContext(t), topic)
		if err != nil {
			t.Fatal(err)
		}
		return int(meta.Topics[topic].Partitions[0].Leader) - 1
	}
	at := FetchAt{LeaderEpoch: -1}
	n := 0
	write := func() {
		t.Helper()
		for range 5 {
			n++
			produce(t, p, &kgo.Record{Topic: topic, Value: fmt.Append(nil, n)})
		}
	}
	read := func() {
		t.Helper()
		start := time.Now()
		for at.Offset < int64(n) {
			ch := pull.next(t, tp, at)
			if ch.Err != nil {
				t.Fatal(ch.Err)
			}
			for _, r := range ch.Records {
				if string(r.Value) != fmt.Sprint(r.Offset+1) {
					t.Fatalf("record %d is %q", r.Offset, r.Value)
				}
			}
			at.Offset, at.LeaderEpoch = ch.Next, ch.LeaderEpoch
		}
		t.Logf("reading took %v", time.Since(start).Round(time.Millisecond))
	}
	more := func() { t.Helper(); write(); read() }
	more()
	t.Run("nearest replica", func(t *testing.T) { readNear(t, k, tp, leader(), int64(n)) })
	first := at.LeaderEpoch
	for _, round := range []struct {
		name         string
		break_, mend func(*cluster.Process) error
	}{
		{"kill", (*cluster.Process).Kill, func(p *cluster.Process) error {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			return p.Start(ctx)
		}},
		{"pause", (*cluster.Process).Pause, (*cluster.Process).Resume},
	} {
		node := k.Node(leader())
		pull.r.Request(tp, at) // a long poll is under way when the leader goes
		time.Sleep(100 * time.Millisecond)
		if err := round.break_(node); err != nil {
			t.Fatal(err)
		}
		t.Log(round.name, "of the leader, with all read")
		more()
		if err := round.mend(node); err != nil {
			t.Fatal(err)
		}
		more()
		node = k.Node(leader())
		write()
		if err := round.break_(node); err != nil {
			t.Fatal(err)
		}
		t.Log(round.name, "of the leader, with records to read")
		read()
		more()
		if err := round.mend(node); err != nil {
			t.Fatal(err)
		}
		more()
	}
	if at.LeaderEpoch <= first {
		t.Errorf("leader epoch %d, at the start %d", at.LeaderEpoch, first)
	}
	e, err := c.EpochEnd(testContext(t), tp, first)
	if err != nil || e.Epoch != first || e.EndOffset <= 0 || e.EndOffset >= int64(n) {
		t.Errorf("epoch %d ends at %+v of %d: %v", first, e, n, err)
	}
}

// readNear reads from the follower in the reader's own rack.
func readNear(t *testing.T, k *cluster.Kafka, tp TopicPartition, leader int, to int64) {
	near := (leader + 1) % 3
	c := open(t, Config{Brokers: k.Brokers(), RackID: fmt.Sprint("rack", near+1)})
	pull := newPuller(t, c)
	if recs := pull.readTo(t, tp, 0, to); len(recs) != int(to) {
		t.Errorf("%d records of %d", len(recs), to)
	}
	pull.r.mu.Lock()
	defer pull.r.mu.Unlock()
	if f := pull.r.followers[tp]; f.broker != int32(near)+1 {
		t.Errorf("the leader names broker %d, in this rack is %d", f.broker, near+1)
	}
	if b := pull.r.brokers[int32(near)+1]; b == nil || b.failures > 0 {
		t.Errorf("the near broker was not asked: %+v", b)
	}
}

func TestRealSecurity(t *testing.T) {
	k := startKafka(t, cluster.KafkaOptions{SASL: true, TLS: true})
	p := producer(t, k.Brokers())
	topic := makeTopic(t, kadm.NewClient(p), 1, 1)
	produce(t, p, &kgo.Record{Topic: topic, Value: []byte("v")})
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, k.CA(), 0o600); err != nil {
		t.Fatal(err)
	}
	tlsConf, err := TLSFiles{CA: ca}.Load()
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]Config{"TLS": {Brokers: k.TLSBrokers(), TLS: tlsConf}}
	for _, mech := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		good[mech] = Config{Brokers: k.SASLBrokers(), SASL: &SASL{mech, cluster.SASLUser, cluster.SASLPassword}}
	}
	for name, cfg := range good {
		t.Run(name, func(t *testing.T) {
			c := open(t, cfg)
			if id, err := c.ClusterID(testContext(t)); err != nil || id != k.ID() {
				t.Errorf("cluster id %s, want %s: %v", id, k.ID(), err)
			}
			if recs := newPuller(t, c).readTo(t, TopicPartition{topic, 0}, 0, 1); len(recs) != 1 {
				t.Errorf("%d records", len(recs))
			}
			o := newOwner(t, name)
			_, leave := join(t, c, cluster.UniqueName(t), o, func(context.Context) ([]string, error) { return []string{topic}, nil })
			until(t, "the partition", func() bool { return len(o.has()) == 1 })
			leave()
		})
	}
	bad := map[string]Config{"unknown CA": {Brokers: k.TLSBrokers(), TLS: good["TLS"].TLS.Clone()}}
	bad["unknown CA"].TLS.RootCAs = nil
	for name, cfg := range good {
		if cfg.SASL != nil {
			cfg.SASL = &SASL{cfg.SASL.Mechanism, cluster.SASLUser, "wrong-secret"}
			bad["wrong password, "+name] = cfg
		}
	}
	for name, cfg := range bad {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			c, err := Open(testContext(t), cfg)
			if err == nil {
				_ = c.Close()
				t.Fatal("it opened")
			}
			if strings.Contains(err.Error(), "wrong-secret") {
				t.Errorf("the error shows the password: %v", err)
			}
			// No use in trying again.
			if time.Since(start) > testLimit/2 {
				t.Errorf("it took %v: %v", time.Since(start), err)
			}
		})
	}
}
