package cluster

import (
	"context"
	"maps"
	"strconv"
)

// StartKafkas starts n nodes for tests of faults, each of them broker and
// controller in one, on a heap of 288 MiB unless o says otherwise. Topics,
// offsets and transaction state are replicated three times (n if there are
// fewer), with min.insync.replicas 2. Use Node(i) to Kill, Pause, Resume or
// Restart one; a restarted node has its old data and ports. As the nodes are
// the controllers too, a majority has to run for leaders to change.
//
// Patience is short everywhere: the leaders of a dead or paused node move
// after 4 to 6 s (6 if it was also the active controller), a paused follower
// leaves the in-sync replicas after 3 s, and a paused node comes back into them
// within a second after Resume. Clients that wait long for an answer see it
// later: a paused broker takes requests and answers none. Retention,
// segment deletion and compaction are looked after every second; a transaction
// past its own timeout is aborted within a second. Leaders stay where a test
// moves them. Unclean election is off; switch it on per topic with
// KafkaAdmin.AlterTopic(topic, "unclean.leader.election.enable", "true").
// o.Config is laid over all this.
func StartKafkas(ctx context.Context, o KafkaOptions, n int) (*Kafka, error) {
	o.Nodes = n
	if o.HeapMB == 0 {
		o.HeapMB = 288
	}
	conf := faultConfig(n)
	maps.Copy(conf, o.Config)
	o.Config = conf
	return StartKafka(ctx, o)
}

func faultConfig(n int) map[string]string {
	return map[string]string{
		"default.replication.factor": strconv.Itoa(min(3, n)),
		"min.insync.replicas":        strconv.Itoa(min(2, n)),
		"num.partitions":             "4",

		// A paused leader holds the connections of its followers open; they
		// look for the new leader only when their request times out.
		"replica.socket.timeout.ms": "2000",
		"replica.fetch.wait.max.ms": "250",
		"replica.fetch.backoff.ms":  "250",
		// A paused follower holds the high watermark until it leaves the ISR.
		"replica.lag.time.max.ms": "3000",
		// A paused controller holds the brokers' heartbeats likewise.
		"controller.socket.timeout.ms":                                "2000",
		"socket.connection.setup.timeout.ms":                          "2000",
		"socket.connection.setup.timeout.max.ms":                      "4000",
		"broker.session.timeout.ms":                                   "4000",
		"broker.heartbeat.interval.ms":                                "500",
		"request.timeout.ms":                                          "3000",
		"offsets.commit.timeout.ms":                                   "3000",
		"controller.quorum.request.timeout.ms":                        "1500",
		"controller.quorum.fetch.timeout.ms":                          "2000",
		"controller.quorum.election.timeout.ms":                       "1000",
		"unclean.leader.election.interval.ms":                         "1000",
		"unclean.leader.election.enable":                              "false",
		"auto.leader.rebalance.enable":                                "false",
		"group.min.session.timeout.ms":                                "3000",
		"transaction.max.timeout.ms":                                  "900000",
		"log.retention.check.interval.ms":                             "1000",
		"log.initial.task.delay.ms":                                   "1000",
		"log.segment.delete.delay.ms":                                 "1000",
		"log.cleaner.backoff.ms":                                      "1000",
		"log.cleaner.min.cleanable.ratio":                             "0.01",
		"replica.high.watermark.checkpoint.interval.ms":               "1000",
		"transaction.abort.timed.out.transaction.cleanup.interval.ms": "1000",
	}
}

// Bootstrap are the addresses to begin with, as host:port: those of all nodes.
func (k *Kafka) Bootstrap() []string { return k.Brokers() }

// Broker is the broker id of node i.
func (k *Kafka) Broker(i int) int32 { return int32(i) + 1 }

// NodeOf is the node with this broker id, nil if there is none.
func (k *Kafka) NodeOf(broker int32) *Process {
	if broker < 1 || int(broker) > len(k.nodes) {
		return nil
	}
	return k.nodes[broker-1]
}
