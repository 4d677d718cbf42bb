package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"rowmark/test/cluster"
)

const (
	// drainLimit is how long checkpoints may take to come to the end of the log, after the last fault.
	drainLimit = 3 * time.Minute
	stopLimit  = time.Minute
	// leastRate is the throughput before the first fault below which a run proves nothing, in records a second.
	leastRate = 100
)

// play lets records flow, does the harm, waits until all is calm, and judges.
func (s *stage) play(ctx context.Context, classes []class, r *result) error {
	costs := make([]classCost, len(classes))
	for i, c := range classes {
		costs[i] = c.classCost
	}
	r.plan = draw(s.opts.seed, s.opts.length, costs)
	var text strings.Builder
	for _, e := range r.plan {
		fmt.Fprintln(&text, e)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "plan.txt"), []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	for topic, n := range map[string]int{mainTopic: firstPartitions, holeTopic: 1, againTopic: 1} {
		if err := s.follow(topic, 0, n); err != nil {
			return err
		}
	}
	defer func() {
		for _, topic := range []string{mainTopic, holeTopic, againTopic} {
			s.unfollow(topic)
		}
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-s.fatal:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	defer s.keep(ctx)()
	lookers := s.look(ctx)
	defer lookers()
	flow := s.flow(ctx)
	if err := s.startConnectors(); err != nil {
		return errors.Join(err, flow())
	}
	began := time.Now()
	go func() {
		_ = sleep(ctx, calm-time.Second) // at the end of the run nobody asks
		s.firstRate(r, began)
	}()
	r.nemesis = newNemesis(s, classes)
	r.nemesis.run(ctx, r.plan, s.opts.length)
	if err := s.heal(); err != nil {
		return errors.Join(err, flow())
	}
	s.log.say("the last fault is over; records end")
	err := flow()
	r.flowed = time.Since(began)
	if ctx.Err() != nil {
		return fmt.Errorf("playing: %w", context.Cause(ctx))
	}
	if err != nil {
		return err
	}
	return s.settle(ctx, r, lookers)
}

// keep starts the keeper of the services. What it gives stops it.
func (s *stage) keep(ctx context.Context) func() {
	ctx, stop := context.WithCancel(ctx)
	s.keeper = &keeper{
		procs: append(s.kafka.Processes(), s.hbase.Processes()...), log: s.log.say, fail: s.fail,
		taken: map[*cluster.Process]bool{}, deaths: map[string]int{},
	}
	done := make(chan struct{})
	go func() {
		s.keeper.run(ctx)
		close(done)
	}()
	return func() {
		stop()
		<-done
	}
}

// look starts the watch and the auditor. What it gives stops them, and may be called again.
func (s *stage) look(ctx context.Context) func() {
	ctx, stop := context.WithCancel(ctx)
	s.reads = newObservations(s.opts.seed)
	s.watch = &watch{client: s.looker, found: s.found, stable: s.stable, reads: s.reads, truth: s.truth}
	s.audit = &audit{client: s.reader, truth: s.truth, found: s.found, reads: s.reads, rnd: rand.New(rand.NewPCG(s.opts.seed, 300))}
	var wg sync.WaitGroup
	wg.Go(func() { s.watch.run(ctx) })
	wg.Go(func() { s.audit.run(ctx) })
	return func() {
		stop()
		wg.Wait()
	}
}

// flow starts all producers. What it gives stops them.
func (s *stage) flow(ctx context.Context) func() error {
	ctx, stop := context.WithCancel(ctx)
	s.producers = &producers{brokers: s.kafka.Brokers(), seed: s.opts.seed, rate: s.opts.rate, now: time.Now, log: s.log.say}
	s.producers.partitions.Store(firstPartitions)
	var wg sync.WaitGroup
	var err error
	wg.Go(func() {
		if err = s.producers.run(ctx); err != nil {
			s.fail(err)
		}
	})
	for i, topic := range []string{holeTopic, againTopic} {
		p := &edgeProducer{brokers: s.kafka.Brokers(), topic: topic, ids: &s.producers.ids, fail: s.fail, rnd: rand.New(rand.NewPCG(s.opts.seed, 400+uint64(i)))}
		s.edges[topic] = p
		if e := p.goOn(); e != nil {
			s.fail(e)
		}
		wg.Go(func() { p.run(ctx) })
	}
	return func() error {
		stop()
		wg.Wait()
		return err
	}
}

func (s *stage) startConnectors() error {
	for name := range connectorConfigs {
		if _, err := s.yard.start(name, s.config(name)); err != nil {
			return err
		}
	}
	return nil
}

// firstRate measures the throughput before the first fault, by what the checkpoints of the main sink passed.
func (s *stage) firstRate(r *result, began time.Time) {
	var n int64
	for _, p := range s.watch.of(mainSink) {
		n += p.offset
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.firstRate = float64(n) / time.Since(began).Seconds()
	s.log.say("before the first fault: %.0f records a second", r.firstRate)
}

// heal undoes what a fault may have left.
func (s *stage) heal() error {
	s.hbaseProxy.Heal()
	s.kafkaProxy.Heal()
	if err := errors.Join(s.hbaseProxy.Set(nil), s.kafkaProxy.Set(nil)); err != nil {
		return err
	}
	for _, p := range append(s.kafka.Processes(), s.hbase.Processes()...) {
		_ = p.Resume() // one that has ended is the keeper's
	}
	return nil
}

// settle waits until all sinks are at the end of the log, stops the connectors, and compares all rows.
func (s *stage) settle(ctx context.Context, r *result, lookers func()) error {
	began := time.Now()
	var ends map[source]int64
	if err := until(ctx, drainLimit, "the end of the log", func() (bool, error) {
		ends = s.stable(ctx)
		for src := range ends {
			if src.topic == mainTopic && len(ends) == int(s.producers.partitions.Load())+2 {
				return true, nil
			}
		}
		return false, nil
	}); err != nil {
		return err
	}
	for src, end := range ends {
		if err := s.truth.reach(ctx, src, end, drainLimit); err != nil {
			return err
		}
	}
	err := until(ctx, drainLimit, "all sinks to be at the end", func() (bool, error) {
		ends = s.stable(ctx)
		late := s.late(ends)
		return ends != nil && len(late) == 0, fmt.Errorf("%s", strings.Join(late, "; "))
	})
	if ctx.Err() != nil {
		return fmt.Errorf("settling: %w", context.Cause(ctx))
	}
	if err != nil {
		for _, l := range s.late(ends) {
			s.found.add("end", found(stuck, "%s, %v after the last fault", l, drainLimit))
		}
	}
	r.drained = time.Since(began)
	s.log.say("drained after %.1f s", r.drained.Seconds())
	lookers()
	s.yard.stop(stopLimit)
	if lostIDs := s.producers.missing(s.truth); len(lostIDs) > 0 {
		r.void("Kafka lost %d records that it had confirmed, the first with id %d", len(lostIDs), lostIDs[0])
	}
	s.log.say("checking what the two lookers read, as histories of registers")
	var bad []finding
	if r.linear, bad, err = s.reads.check(s.dir); err != nil {
		return err
	}
	s.found.add("end", bad...)
	return s.compareAll(r)
}

// late says which checkpoints are not at the end.
func (s *stage) late(ends map[source]int64) []string {
	var out []string
	for src, end := range ends {
		for _, sink := range []string{mainSink, secondSink, edgeSink} {
			if end == 0 || !sinkReads(sink, src.topic) {
				continue
			}
			switch p := s.watch.of(sink)[src]; {
			case p == nil:
				out = append(out, fmt.Sprintf("sink %s has no checkpoint of %s", sink, src.name()))
			case p.offset < end:
				out = append(out, fmt.Sprintf("sink %s is at %d of %d in %s", sink, p.offset, end, src.name()))
			}
		}
	}
	return out
}
