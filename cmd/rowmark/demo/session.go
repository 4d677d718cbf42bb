package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"rowmark/test/cluster"
)

// session is one run of the demo and all that it started.
type session struct {
	opts Options
	out  *printer

	dir    string // holds everything that is written
	unlock func()
	kafka  *cluster.Kafka
	hbase  *cluster.HBase
	reader *cluster.JavaClient
	proc   *connector // the last one started
}

// fastJVM lets the services' code be compiled fully: here speed counts for more than a quick start.
var fastJVM = []string{"-XX:+UseSerialGC", "-Xshare:auto"}

// start starts the services, at the same time: each waits for a disk or a port most of it.
func (s *session) start(ctx context.Context) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("finding the user's cache folder (set XDG_CACHE_HOME or HOME): %w", err)
	}
	cache = filepath.Join(cache, "rowmark")
	parent := cache
	if s.opts.parent != "" {
		parent = s.opts.parent
	}
	if s.dir, s.unlock, err = makeFolder(parent, s.opts.Keep); err != nil {
		return err
	}
	o := cluster.Options{Dir: s.dir, Cache: cache, Log: func(line string) { s.out.step("%s", line) }, Detach: s.opts.Keep, JVM: fastJVM}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var kafkaErr, hbaseErr error
	wg.Go(func() {
		s.kafka, kafkaErr = cluster.StartKafka(ctx, cluster.KafkaOptions{Options: o})
		if kafkaErr != nil {
			cancel(kafkaErr)
		}
	})
	wg.Go(func() {
		s.hbase, hbaseErr = cluster.StartHBase(ctx, cluster.HBaseOptions{Options: o})
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
	s.reader, err = cluster.StartJavaClient(ctx, o, s.hbase.ZooKeeper())
	return err
}

func (s *session) serving() bool { return s.kafka != nil && s.hbase != nil && s.reader != nil }

// close ends what was started; keep spares the services and their folder.
func (s *session) close(keep bool) error {
	var errs []error
	if s.proc != nil {
		errs = append(errs, s.proc.kill())
	}
	if s.reader != nil {
		errs = append(errs, s.reader.Close())
	}
	if keep {
		return errors.Join(errs...)
	}
	if s.kafka != nil {
		errs = append(errs, s.kafka.Stop())
	}
	if s.hbase != nil {
		errs = append(errs, s.hbase.Stop())
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
		s.unlock()
	}
	return errors.Join(errs...)
}

func (s *session) explainKept() {
	var pids []string
	for _, p := range append(s.kafka.Processes(), s.hbase.Processes()...) {
		pids = append(pids, strconv.Itoa(p.Pid()))
	}
	s.out.say("")
	s.out.say("Kafka and HBase stay up:")
	s.out.say("  Kafka          %s", strings.Join(s.kafka.Brokers(), ","))
	s.out.say("  ZooKeeper      %s", strings.Join(s.hbase.ZooKeeper(), ","))
	s.out.say("  configuration  %s", s.configFile())
	s.out.say("Look around with")
	s.out.say("  rowmark offsets show -c %s", s.configFile())
	s.out.say("Stop them and remove all with")
	s.out.say("  kill -9 %s; rm -r %s", strings.Join(pids, " "), s.dir)
}
