package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

const uncleanTables = `
  - topics: [$NAME_in]
    table: $NAME_rows
    key: {format: string}
    value: {format: string}
    row_key: [{field: key}]
    columns: [{field: value, to: "d:v"}]
`

// TestUncleanElection loses records that rows already hold, while the connector is dead and its checkpoint is from before
// them. Other records take their offsets: the rows' marks must not swallow those in silence.
func TestUncleanElection(t *testing.T) {
	cluster.NeedReal(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	kafka, err := cluster.StartKafkas(ctx, cluster.KafkaOptions{Options: cluster.TestOptions()}, 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kafka.Stop() })
	w := &world{
		t: t, name: cluster.UniqueName(t), brokers: kafka.Bootstrap(), zookeeper: cluster.SharedZooKeeper(t),
		java: cluster.SharedJavaClient(t),
	}
	w.client = w.producer(kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite(), kgo.MetadataMinAge(100*time.Millisecond))
	w.admin = kadm.NewClient(w.client)
	t.Cleanup(w.close)
	operator, err := cluster.NewKafkaAdmin(kafka.Bootstrap())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(operator.Close)
	topic := w.name + "_in"
	if err := operator.CreateTopic(ctx, topic, 1, 2, "min.insync.replicas", "1", "unclean.leader.election.enable", "true"); err != nil {
		t.Fatal(err)
	}

	// The checkpoint moves so seldom that it says nothing of the records that will be lost.
	config := w.configFile(fmt.Sprintf(`sink: %s
kafka: {brokers: [%s], fetch: {max_wait: 50ms}}
hbase: {zookeeper: [%s], checkpoint_table: %s}
checkpoint: {interval: 6s, lease: 20s}
tables:
%s`, w.sink(), kafka.Bootstrap()[0]+","+kafka.Bootstrap()[1]+","+kafka.Bootstrap()[2], w.zookeeper[0], checkpointTable, uncleanTables))
	w.init(config)
	send := func(from, n int, value string) {
		var all []*kgo.Record
		for i := range n {
			all = append(all, &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "k%d", from+i), Value: []byte(value)})
		}
		w.produce(all...)
	}
	send(0, 5, "kept")
	run := w.start(config)
	w.row("k4", "kept")

	parts, err := operator.Partitions(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	leader, follower := parts[0].Leader, parts[0].Replicas[0]
	if follower == leader {
		follower = parts[0].Replicas[1]
	}
	if err := kafka.NodeOf(follower).Pause(); err != nil {
		t.Fatal(err)
	}
	send(5, 5, "lost")
	w.row("k9", "lost") // read only when the follower is out of the in-sync replicas
	run.kill()
	if err := kafka.NodeOf(leader).Kill(); err != nil {
		t.Fatal(err)
	}
	if err := kafka.NodeOf(follower).Resume(); err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Leader(ctx, topic, 0, leader); err != nil {
		t.Fatal(err)
	}
	send(5, 5, "new") // at the offsets of the lost ones
	send(10, 5, "new")

	again := w.start(config, "--once")
	again.ends(10)
	t.Logf("it said: %s", lastLines(again.output(), 1))
	w.start(config, "--once", "--force").ends(0, "took their offsets")
	w.row("k14", "new")
}

// row waits until a row of the world's table holds a value.
func (w *world) row(key, value string) {
	w.t.Helper()
	eventually(w.t, "row "+key, func() bool {
		cells, err := w.java.Get(w.name+"_rows", key)
		if err != nil {
			w.t.Fatal(err)
		}
		return text(cells, "d") == key+" v="+value
	})
}
