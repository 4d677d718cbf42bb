package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"rowmark/hbase"
	"rowmark/test/cluster"
)

// session is one run of the command: services and peers, started when they are first needed.
type session struct {
	opts    options
	dir     string
	born    time.Time
	machine string

	kafka  *cluster.Kafka
	hbase  *cluster.HBase
	client *hbase.Client // makes, reads and deletes tables; measures nothing
	ours   *peer
	java   *peer
	binary string // of rowmark, once it is built
}

func newSession(o options) (*session, error) {
	dir, err := os.MkdirTemp("", "rowmark-bench-")
	if err != nil {
		return nil, fmt.Errorf("making the folder of the run: %w", err)
	}
	return &session{opts: o, dir: dir, born: time.Now()}, nil
}

func (s *session) say(format string, args ...any) { s.line(fmt.Sprintf(format, args...)) }

func (s *session) line(text string) {
	fmt.Fprintf(os.Stderr, "bench: %6.1fs %s\n", time.Since(s.born).Seconds(), text)
}

// service options let the JVMs compile and collect as they would in production, unlike those of the tests.
func (s *session) service() cluster.Options {
	return cluster.Options{Dir: s.dir, Log: s.line, JVM: []string{"-Xmx2g", "-XX:+UseG1GC"}}
}

// needKafka starts Kafka.
func (s *session) needKafka(ctx context.Context) (err error) {
	if s.kafka == nil {
		s.kafka, err = cluster.StartKafka(ctx, cluster.KafkaOptions{Options: s.service()})
	}
	return err
}

// needHBase starts HBase, and opens a client of our own.
func (s *session) needHBase(ctx context.Context) (err error) {
	if s.hbase == nil {
		start := cluster.StartHBase
		if s.opts.hdfs {
			start = cluster.StartDistributedHBase
		}
		if s.hbase, err = start(ctx, cluster.HBaseOptions{Options: s.service(), SessionTimeout: time.Minute}); err != nil {
			return err
		}
	}
	if s.client == nil {
		s.client, err = hbase.Open(ctx, hbase.Config{ZooKeeper: s.hbase.ZooKeeper()})
	}
	return err
}

// brokers and hbases are the processes of the servers.
func (s *session) brokers() []int { return pidsOf(s.kafka.Processes()) }
func (s *session) hbases() []int  { return pidsOf(s.hbase.Processes()) }

func pidsOf(all []*cluster.Process) []int {
	var out []int
	for _, p := range all {
		out = append(out, p.Pid())
	}
	return out
}

// close ends everything and removes what it stored.
func (s *session) close() error {
	errs := []error{s.ours.close(), s.java.close()}
	if s.client != nil {
		s.client.Close()
	}
	if s.hbase != nil {
		errs = append(errs, s.hbase.Stop())
	}
	if s.kafka != nil {
		errs = append(errs, s.kafka.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}
