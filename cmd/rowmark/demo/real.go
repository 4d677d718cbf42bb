package demo

import (
	"context"
	"errors"
	"sync"

	"rowmark/test/cluster"
)

// realServices are processes of Java.
type realServices struct {
	kafka  *cluster.Kafka
	hbase  *cluster.HBase
	reader *cluster.JavaClient
}

// fastJVM lets the services' code be compiled fully: here speed counts for more than a quick start.
var fastJVM = []string{"-XX:+UseSerialGC", "-Xshare:auto"}

// start starts both at the same time: each waits for a disk or a port most of it.
func (r *realServices) start(ctx context.Context, s *session) error {
	o := cluster.Options{Dir: s.dir, Cache: s.cache, Log: func(line string) { s.out.step("%s", line) }, Detach: s.opts.Keep, JVM: fastJVM}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var kafkaErr, hbaseErr error
	wg.Go(func() {
		r.kafka, kafkaErr = cluster.StartKafka(ctx, cluster.KafkaOptions{Options: o})
		if kafkaErr != nil {
			cancel(kafkaErr)
		}
	})
	wg.Go(func() {
		r.hbase, hbaseErr = cluster.StartHBase(ctx, cluster.HBaseOptions{Options: o})
		if hbaseErr != nil {
			cancel(hbaseErr)
		}
	})
	wg.Wait()
	if kafkaErr != nil || hbaseErr != nil {
		return context.Cause(ctx) // the first: the other one was given up for it
	}
	// It compiles a source, so it says now, and not at the end, that a JDK is missing.
	o.Detach, o.JVM = false, nil
	s.out.step("starting HBase's own Java client, for the count")
	var err error
	r.reader, err = cluster.StartJavaClient(ctx, o, r.hbase.ZooKeeper())
	return err
}

func (r *realServices) brokers() []string   { return r.kafka.Brokers() }
func (r *realServices) zooKeeper() []string { return r.hbase.ZooKeeper() }

func (r *realServices) dump(table string) ([]cluster.Cell, error) { return r.reader.Dump(table) }

func (r *realServices) pids() []int {
	var out []int
	for _, p := range append(r.kafka.Processes(), r.hbase.Processes()...) {
		out = append(out, p.Pid())
	}
	return out
}

func (r *realServices) stop(keep bool) error {
	var errs []error
	if r.reader != nil {
		errs = append(errs, r.reader.Close())
	}
	if keep {
		return errors.Join(errs...)
	}
	if r.kafka != nil {
		errs = append(errs, r.kafka.Stop())
	}
	if r.hbase != nil {
		errs = append(errs, r.hbase.Stop())
	}
	return errors.Join(errs...)
}
