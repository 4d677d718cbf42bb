package cluster

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// Environment variables that steer tests with real services.
const (
	EnvSkip      = "ROWMARK_SKIP_REAL"      // 1: leave such tests out
	EnvKafka     = "ROWMARK_TEST_KAFKA"     // host:port,…: use this Kafka
	EnvZooKeeper = "ROWMARK_TEST_ZOOKEEPER" // host:port,…: use this HBase
	EnvKeep      = "ROWMARK_TEST_KEEP"      // 1: keep data and logs
	// EnvHBaseVersion names another version of HBase to start, such as 2.4.18.
	EnvHBaseVersion = "ROWMARK_TEST_HBASE_VERSION"
)

// startLimit bounds the start of a shared service, a first fetch included.
const startLimit = 10 * time.Minute

// shared is one service that the tests of a package use together. It starts
// when the first test asks, so that `go test -run` of one plain test is quick.
type shared struct {
	env   string
	start func(context.Context, Options) (addrs []string, stop func() error, err error)

	once  sync.Once
	addrs []string
	stop  func() error
	err   error
}

var (
	sharedKafka = &shared{env: EnvKafka, start: func(ctx context.Context, o Options) ([]string, func() error, error) {
		k, err := StartKafka(ctx, KafkaOptions{Options: o})
		if err != nil {
			return nil, nil, err
		}
		return k.Brokers(), k.Stop, nil
	}}
	sharedHBase = &shared{env: EnvZooKeeper, start: func(ctx context.Context, o Options) ([]string, func() error, error) {
		h, err := StartHBase(ctx, HBaseOptions{Options: o, Version: os.Getenv(EnvHBaseVersion)})
		if err != nil {
			return nil, nil, err
		}
		return h.ZooKeeper(), h.Stop, nil
	}}

	skippedMu sync.Mutex
	skipped   []string
	underMain bool
)

// TB is the part of testing.TB that is needed here; an interface of our own
// keeps package testing out of programs that use this one, like the demo.
type TB interface {
	Helper()
	Name() string
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Main runs the tests of a package that uses SharedKafka, SharedZooKeeper or
// SharedJavaClient, and stops afterwards what they started. Call it as
// os.Exit(cluster.Main(m)) from TestMain.
func Main(m interface{ Run() int }) int {
	underMain = true
	code := m.Run()
	for _, s := range []func() error{closeSharedJava, sharedKafka.close, sharedHBase.close} {
		if err := s(); err != nil {
			fmt.Fprintln(os.Stderr, "stopping the shared services:", err)
			code = max(code, 1)
		}
	}
	if len(skipped) > 0 {
		fmt.Fprintf(os.Stderr, "NOT RUN, because %s=1: %d test(s) on real services: %s\n",
			EnvSkip, len(skipped), strings.Join(skipped, ", "))
	}
	return code
}

// NeedReal skips the test if the person asked for no real services; Main names
// the skipped tests at the end.
func NeedReal(t TB) {
	t.Helper()
	if os.Getenv(EnvSkip) != "1" {
		return
	}
	skippedMu.Lock()
	skipped = append(skipped, t.Name())
	skippedMu.Unlock()
	t.Skipf("needs real services (Java and Maven); %s=1 asked to leave it out", EnvSkip)
}

// SharedKafka returns the brokers of the package's Kafka, starting it at the
// first call. Tests must use topics of names of their own (see UniqueName).
func SharedKafka(t TB) []string { t.Helper(); return sharedKafka.get(t) }

// SharedZooKeeper returns the ZooKeeper of the package's one-JVM HBase,
// starting it at the first call. Tests must use tables of their own.
func SharedZooKeeper(t TB) []string { t.Helper(); return sharedHBase.get(t) }

func (s *shared) get(t TB) []string {
	t.Helper()
	NeedReal(t)
	if !underMain {
		t.Fatal("shared services need a TestMain that calls cluster.Main")
	}
	s.once.Do(s.open)
	if s.err != nil {
		t.Fatalf("%v (or set %s=1 to leave out the tests on real services)", s.err, EnvSkip)
	}
	return s.addrs
}

func (s *shared) open() {
	if v := os.Getenv(s.env); v != "" {
		s.addrs = strings.Split(v, ",")
		for _, a := range s.addrs {
			c, err := net.DialTimeout("tcp", a, 10*time.Second)
			if err != nil {
				s.err = fmt.Errorf("reaching the service named by %s: %w", s.env, err)
				return
			}
			_ = c.Close()
		}
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	s.addrs, s.stop, s.err = s.start(ctx, TestOptions())
}

func (s *shared) close() error {
	if s.stop == nil {
		return nil
	}
	return s.stop()
}

// TestOptions are the options that tests start services of their own with.
func TestOptions() Options {
	return Options{
		Log:  func(line string) { fmt.Fprintln(os.Stderr, "cluster:", line) },
		Keep: os.Getenv(EnvKeep) == "1",
	}
}

// UniqueName returns a name for a topic or table that no other test of any
// package or run uses: letters, digits and underscores.
func UniqueName(t TB) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, t.Name())
	if len(clean) > 60 {
		clean = clean[:60]
	}
	return fmt.Sprintf("%s_%x_%d", clean, time.Now().UnixNano(), os.Getpid())
}
