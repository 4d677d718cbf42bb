package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kgo"
)

// kafkaClasses break brokers and topics.
func kafkaClasses() []class {
	return []class{
		{classCost{"leader change", kafkaLane, 4 * time.Second}, moveLeader},
		{classCost{"broker kill -9", kafkaLane, 12 * time.Second}, killBroker},
		{classCost{"broker paused", kafkaLane, 12 * time.Second}, pauseBroker},
		{classCost{"rolling restart", kafkaLane, 24 * time.Second}, rollBrokers},
		{classCost{"aborted transactions", kafkaLane, 2 * time.Second}, abortTransactions},
		{classCost{"hanging transaction", kafkaLane, 12 * time.Second}, hangTransaction},
		{classCost{"retention below the checkpoint", kafkaLane, 3 * time.Second}, retention},
		{classCost{"partition growth", kafkaLane, 6 * time.Second}, growTopic},
	}
}

func (s *stage) anyPartition(rnd *rand.Rand) int32 { return rnd.Int32N(s.producers.partitions.Load()) }

func moveLeader(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	p := s.anyPartition(rnd)
	from, err := s.topics.Leader(ctx, mainTopic, p, -1)
	if err != nil {
		return "", err
	}
	to := (from+rnd.Int32N(2))%3 + 1
	if err := s.topics.MoveLeader(ctx, mainTopic, p, to); err != nil {
		return "", err
	}
	return fmt.Sprintf("the leader of %s/%d moved from broker %d to %d", mainTopic, p, from, to), nil
}

// claimLeader gives the node that leads a partition of the main topic, so that what happens to it is felt, and keeps it
// from other faults until release.
func (s *stage) claimLeader(ctx context.Context, rnd *rand.Rand) (node *cluster.Process, leader, p int32, release func(), err error) {
	p = s.anyPartition(rnd)
	if leader, err = s.topics.Leader(ctx, mainTopic, p, -1); err != nil {
		return nil, 0, 0, nil, err
	}
	node = s.kafka.NodeOf(leader)
	release, err = s.keeper.claim(ctx, node)
	return node, leader, p, release, err
}

func killBroker(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	node, leader, p, release, err := s.claimLeader(ctx, rnd)
	if err != nil {
		return "", err
	}
	defer release()
	if err := node.Kill(); err != nil {
		return "", err
	}
	next, err := s.topics.Leader(ctx, mainTopic, p, leader)
	if rerr := restart(node); rerr != nil {
		s.fail(rerr)
		return "", rerr
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("broker %d died, and broker %d led %s/%d after it", leader, next, mainTopic, p), nil
}

func pauseBroker(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	node, leader, p, release, err := s.claimLeader(ctx, rnd)
	if err != nil {
		return "", err
	}
	defer release()
	if err := node.Pause(); err != nil {
		return "", err
	}
	next, err := s.topics.Leader(ctx, mainTopic, p, leader)
	if rerr := node.Resume(); rerr != nil {
		return "", rerr
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("broker %d was paused until broker %d led %s/%d", leader, next, mainTopic, p), nil
}

// rollBrokers restarts one after the other, each when the one before is back in the in-sync replicas.
func rollBrokers(ctx context.Context, s *stage, _ *rand.Rand) (string, error) {
	for i := range 3 {
		if err := s.inSync(ctx); err != nil {
			return "", err
		}
		if err := s.restartBroker(ctx, s.kafka.Node(i)); err != nil {
			return "", err
		}
	}
	return "three brokers were restarted one after the other", s.inSync(ctx)
}

func (s *stage) restartBroker(ctx context.Context, node *cluster.Process) error {
	release, err := s.keeper.claim(ctx, node)
	if err != nil {
		return err
	}
	defer release()
	pid := node.Pid()
	if err := node.Terminate(10 * time.Second); err != nil {
		return err
	}
	if err := restart(node); err != nil {
		s.fail(err)
		return err
	}
	if node.Pid() == pid {
		return fmt.Errorf("restarting %s: it is the same process", node.Name())
	}
	return nil
}

func (s *stage) inSync(ctx context.Context) error {
	return until(ctx, time.Minute, "all replicas to be in sync", func() (bool, error) {
		all, err := s.topics.Partitions(ctx, mainTopic)
		for _, p := range all {
			if len(p.ISR) < 3 {
				return false, nil
			}
		}
		return err == nil && len(all) > 0, err
	})
}

// ghost makes records that must never show: their ids are above all others.
func (s *stage) ghosts(rnd *rand.Rand, n int) []*kgo.Record {
	keys := s.truth.table(rowsTable)
	var out []*kgo.Record
	for range n {
		e := event{id: s.producers.ids.Add(1), inc: int64(rnd.Uint64()), hot: int8(rnd.IntN(hotRows))}
		r := &kgo.Record{Topic: mainTopic, Partition: s.anyPartition(rnd), Key: []byte("0-ghost"), Value: e.value()}
		if len(keys) > 0 {
			r.Key = []byte(keys[rnd.IntN(len(keys))])
		}
		out = append(out, r)
	}
	return out
}

func (s *stage) transactional(name string, timeout time.Duration) (*kgo.Client, error) {
	c, err := kgo.NewClient(producerOptions(s.kafka.Brokers(), kgo.TransactionalID(name), kgo.TransactionTimeout(timeout))...)
	if err != nil {
		return nil, fmt.Errorf("starting a producer of transactions: %w", err)
	}
	return c, nil
}

func abortTransactions(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c, err := s.transactional(fmt.Sprintf("ghost-%d", rnd.Uint32()), time.Minute)
	if err != nil {
		return "", err
	}
	defer c.Close()
	n := 0
	for range 5 {
		if err := c.BeginTransaction(); err != nil {
			return "", err
		}
		ghosts := s.ghosts(rnd, 1+rnd.IntN(40))
		if err := c.ProduceSync(ctx, ghosts...).FirstErr(); err != nil {
			return "", err
		}
		if err := c.EndTransaction(ctx, kgo.TryAbort); err != nil {
			return "", err
		}
		n += len(ghosts)
	}
	return fmt.Sprintf("5 transactions with %d records were aborted", n), nil
}

// hangTransaction leaves a transaction open, so that nothing behind it may be passed, until the brokers abort it or
// its producer comes back.
func hangTransaction(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	name := fmt.Sprintf("hanging-%d", rnd.Uint32())
	c, err := s.transactional(name, 8*time.Second)
	if err != nil {
		return "", err
	}
	defer func() { c.Close() }()
	if err := c.BeginTransaction(); err != nil {
		return "", err
	}
	ghosts := s.ghosts(rnd, 8)
	p := ghosts[0].Partition
	if err := c.ProduceSync(ctx, ghosts...).FirstErr(); err != nil {
		return "", err
	}
	held := ghosts[0].Offset
	if err := sleep(ctx, 3*time.Second); err != nil {
		return "", err
	}
	ends, err := s.offsets.ListEndOffsets(ctx, mainTopic)
	if err != nil {
		return "", err
	}
	stable := s.stable(ctx)[source{topic: mainTopic, partition: p}]
	end, _ := ends.Lookup(mainTopic, p)
	if stable > held || end.Offset <= held {
		return "", fmt.Errorf("leaving a transaction open in %s/%d: the last stable offset is %d, past its record at %d", mainTopic, p, stable, held)
	}
	waiting := end.Offset - stable
	if err := until(ctx, time.Minute, "the brokers to abort the transaction", func() (bool, error) {
		return s.stable(ctx)[source{topic: mainTopic, partition: p}] > held, nil
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("an open transaction held %d offsets of %s/%d back, until the brokers aborted it", waiting, mainTopic, p), nil
}

// retention deletes what all sinks have passed.
func retention(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	p := s.anyPartition(rnd)
	src := source{topic: mainTopic, partition: p}
	least := s.truth.position(src)
	for _, sink := range []string{mainSink, secondSink} {
		cp := s.watch.of(sink)[src]
		if cp == nil {
			return "", fmt.Errorf("deleting records of %s: sink %s has no checkpoint", src.name(), sink)
		}
		least = min(least, cp.offset)
	}
	first, err := s.topics.DeleteRecords(ctx, mainTopic, p, least)
	if err != nil {
		return "", err
	}
	if first < least || least == 0 {
		return "", fmt.Errorf("deleting records of %s below %d: the log begins at %d", src.name(), least, first)
	}
	return fmt.Sprintf("the log of %s begins at %d now", src.name(), first), nil
}

// growTopic adds a partition, up to a bound; keys made from then on may go to it.
func growTopic(ctx context.Context, s *stage, _ *rand.Rand) (string, error) {
	n := s.producers.partitions.Load()
	if n == grownPartitions {
		return "", errNotNow
	}
	if err := s.topics.AddPartitions(ctx, mainTopic, int(n)+1); err != nil {
		return "", err
	}
	s.tailsMu.Lock()
	s.tails[mainTopic].grow(n)
	s.tailsMu.Unlock()
	s.producers.partitions.Store(n + 1)
	src := source{topic: mainTopic, partition: n}
	if err := until(ctx, 2*time.Minute, "the new partition to be read by both sinks", func() (bool, error) {
		a, b := s.watch.of(mainSink)[src], s.watch.of(secondSink)[src]
		return a != nil && b != nil && a.offset > 0 && b.offset > 0, nil
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s grew to %d partitions, and both sinks read the new one", mainTopic, n+1), nil
}
