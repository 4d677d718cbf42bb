package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"rowmark/test/chaos/proxy"
	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// stage is everything that runs: services, proxies, clients of the judges, connectors.
type stage struct {
	opts  options
	dir   string // of this run
	log   *logger
	found *findings
	truth *truth

	kafka      *cluster.Kafka
	hbase      *cluster.HBase
	topics     *cluster.KafkaAdmin
	offsets    *kadm.Client
	kafkaProxy *proxy.Proxy
	hbaseProxy *proxy.Proxy

	admin, reader, looker *cluster.JavaClient // of the nemesis, the auditor and the watch

	yard      *yard
	watch     *watch
	audit     *audit
	reads     *observations
	keeper    *keeper
	producers *producers
	edges     map[string]*edgeProducer
	tails     map[string]*tail
	tailsMu   sync.Mutex
	fatal     chan error // what makes the run void at once
}

// prepare starts all services and makes topics and tables. Services start together: each waits most of the time.
func (s *stage) prepare(ctx context.Context) error {
	var err error
	s.yard = &yard{
		binary: filepath.Join(s.dir, "rowmark"), logs: filepath.Join(s.dir, "logs"), log: s.log.say, found: s.found,
		all: map[string]*connector{}, exits: map[string]map[int]int{},
	}
	if err := os.MkdirAll(s.yard.logs, 0o755); err != nil {
		return fmt.Errorf("making the folder of the run: %w", err)
	}
	o := cluster.Options{Dir: filepath.Join(s.dir, "services"), Log: func(l string) { s.log.say("%s", l) }, Keep: true}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	attempt := func(f func() error) {
		wg.Go(func() {
			if err := f(); err != nil {
				cancel(err) // the first is the one to show
			}
		})
	}
	attempt(func() error { return cluster.BuildRowmark(ctx, s.yard.binary) })
	attempt(func() (err error) {
		s.kafka, err = cluster.StartKafkas(ctx, cluster.KafkaOptions{Options: o}, 3)
		return err
	})
	attempt(func() (err error) {
		s.hbase, err = cluster.StartDistributedHBase(ctx, cluster.HBaseOptions{Options: o, RegionServers: 2, SessionTimeout: 4 * time.Second})
		return err
	})
	wg.Wait()
	if s.kafka == nil || s.hbase == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, c := range []**cluster.JavaClient{&s.admin, &s.reader, &s.looker} {
		attempt(func() (err error) {
			*c, err = cluster.StartJavaClient(ctx, o, s.hbase.ZooKeeper())
			return err
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.topics, err = cluster.NewKafkaAdmin(s.kafka.Bootstrap()); err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(s.kafka.Brokers()...), kgo.MetadataMinAge(250*time.Millisecond), kgo.MetadataMaxAge(5*time.Second),
		kgo.RequestTimeoutOverhead(3*time.Second), kgo.RetryTimeout(5*time.Second))
	if err != nil {
		return fmt.Errorf("making a client to ask for offsets: %w", err)
	}
	s.offsets = kadm.NewClient(client)
	for _, p := range []**proxy.Proxy{&s.kafkaProxy, &s.hbaseProxy} {
		if *p, err = proxy.Start(proxy.Options{Seed: s.opts.seed, Silence: 20 * time.Second}); err != nil {
			return err
		}
	}
	return s.furnish(ctx)
}

// furnish makes topics and tables. Data families keep versions, so that a put that came twice or late is seen.
func (s *stage) furnish(ctx context.Context) error {
	for topic, n := range map[string]int32{mainTopic: firstPartitions, holeTopic: 1, againTopic: 1} {
		if err := s.topics.CreateTopic(ctx, topic, n, 3, "min.insync.replicas", "2"); err != nil {
			return err
		}
	}
	if _, err := s.admin.Do("namespace", "chaos"); err != nil {
		return err
	}
	for _, t := range [][]string{
		{rowsTable, "family:d,VERSIONS=5", "family:o,VERSIONS=5", "family:c", "family:a", "family:x", "family:y,VERSIONS=5", "split:34", "split:38", "split:63"},
		{hotTable, "family:c", "family:x", "split:6833", "split:6836"},
		{edgeTable, "family:c", "family:a"},
	} {
		if _, err := s.admin.Do("create", t...); err != nil {
			return err
		}
	}
	for name, c := range connectorConfigs {
		text := c.yaml(s.kafka.Brokers(), s.hbase.ZooKeeper(), s.proxyURL(s.kafkaProxy), s.proxyURL(s.hbaseProxy))
		if err := os.WriteFile(s.config(name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the configuration of %s: %w", name, err)
		}
		if name == "main-b" {
			continue // as main-a
		}
		cmd := exec.CommandContext(ctx, s.yard.binary, "init", "-c", s.config(name), "--log-format", "json")
		cmd.Env = cluster.ChildEnvironment()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("running rowmark init for %s: %w\n%s", name, err, out)
		}
	}
	return nil
}

func (s *stage) config(name string) string { return filepath.Join(s.dir, name+".yaml") }

func (s *stage) proxyURL(p *proxy.Proxy) string {
	if s.opts.direct {
		return ""
	}
	return p.URL()
}

// close ends all that was started. keep leaves the folder, but not the services' data.
func (s *stage) close(keep bool) error {
	var errs []error
	if s.yard != nil {
		s.yard.killAll()
	}
	for _, c := range []*cluster.JavaClient{s.admin, s.reader, s.looker} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	if s.topics != nil {
		s.topics.Close()
	}
	if s.offsets != nil {
		s.offsets.Close()
	}
	for _, p := range []*proxy.Proxy{s.kafkaProxy, s.hbaseProxy} {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	var wg sync.WaitGroup
	var kafkaErr, hbaseErr error
	if s.kafka != nil {
		wg.Go(func() { kafkaErr = s.kafka.Stop() })
	}
	if s.hbase != nil {
		wg.Go(func() { hbaseErr = s.hbase.Stop() })
	}
	wg.Wait()
	errs = append(errs, kafkaErr, hbaseErr, os.RemoveAll(filepath.Join(s.dir, "services")))
	if !keep {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}

// stable asks for the last stable offsets, with the present incarnation of each topic.
func (s *stage) stable(ctx context.Context) map[source]int64 {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	lives := s.lives()
	ends, err := s.offsets.ListCommittedOffsets(ctx, mainTopic, holeTopic, againTopic)
	if err != nil {
		return nil
	}
	out := map[source]int64{}
	ends.Each(func(o kadm.ListedOffset) {
		if life, ok := lives[o.Topic]; ok && o.Err == nil {
			out[source{o.Topic, o.Partition, life}] = o.Offset
		}
	})
	return out
}

// lives gives the present incarnation of each topic that is being read.
func (s *stage) lives() map[string]int {
	s.tailsMu.Lock()
	defer s.tailsMu.Unlock()
	out := map[string]int{}
	for topic, t := range s.tails {
		out[topic] = t.life
	}
	return out
}

// follow begins to read a topic's present incarnation.
func (s *stage) follow(topic string, life, partitions int) error {
	t, err := startTail(context.Background(), s.kafka.Brokers(), s.truth, topic, life, partitions, s.fail)
	if err != nil {
		return err
	}
	s.tailsMu.Lock()
	defer s.tailsMu.Unlock()
	s.tails[topic] = t
	return nil
}

// unfollow stops reading a topic.
func (s *stage) unfollow(topic string) {
	s.tailsMu.Lock()
	t := s.tails[topic]
	delete(s.tails, topic)
	s.tailsMu.Unlock()
	if t != nil {
		t.close()
	}
}

// fail makes the run void.
func (s *stage) fail(err error) {
	select {
	case s.fatal <- err:
	default:
	}
}
