package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/hbase"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// put writes a cell into the demo's embedded HBase, past everything.
func put(t *testing.T, s *session, table, row, column, value string) {
	t.Helper()
	client, err := hbase.Open(t.Context(), s.services.(*embedded).hbase.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	family, qualifier, _ := strings.Cut(column, ":")
	w := hbase.RowWrite{Row: []byte(row), Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: []hbase.MutationCell{
		{Column: &hbase.Column{Family: []byte(family), Qualifier: []byte(qualifier)}, Timestamp: time.Now().Add(time.Hour).UnixMilli(), Value: []byte(value)},
	}}}}
	if r := client.WriteRow(t.Context(), table, w); r.Outcome != hbase.Applied {
		t.Fatalf("writing %s to row %q of %s: %+v", column, row, table, r)
	}
}

// quick is an embedded demo for tests of what is around it.
func quick() *mode {
	m := *embeddedMode
	m.streamFor, m.pollEvery, m.inFlight = time.Second, 50*time.Millisecond, 50*time.Millisecond
	m.interval, m.lease = 100*time.Millisecond, 500*time.Millisecond
	return &m
}

// TestEmbedded runs the demo as users do, with nothing installed, and then shows that its verdict can be another one.
func TestEmbedded(t *testing.T) {
	const records = 2000
	parent := t.TempDir()
	binary := build(t)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	var out bytes.Buffer
	var pids []int
	err := Run(t.Context(), Options{Records: records, Binary: binary, Out: &out, parent: parent, tamper: func(s *session) error {
		pids = append(pids, s.proc.cmd.Process.Pid)
		sum := &summary{records: records, aborted: 2 * records / transactions, took: time.Second}
		if err := s.judge(t.Context(), sum); err != nil {
			return err
		}
		if n := uncommitted(t, s.services.brokers()); n != sum.records+sum.aborted {
			t.Errorf("%d records in the log, want %d committed and %d aborted", n, sum.records, sum.aborted)
		}
		cells, err := s.services.dump(ordersTable)
		if err != nil {
			return err
		}
		put(t, s, ordersTable, cells[0].Row, "d:status", "foreign")
		if err := s.judge(t.Context(), sum); !errors.Is(err, ErrVerdict) || !strings.Contains(err.Error(), "0 lost, 0 doubled, 1 wrong") {
			t.Errorf("a foreign value gave %v", err)
		}
		put(t, s, customersTable, "zz", "c:n", "12345678")
		sum.records--
		if err := s.judge(t.Context(), sum); err == nil || !strings.Contains(err.Error(), "2000 committed and 40 aborted records there, but 1999 and 40") {
			t.Errorf("a record too many gave %v", err)
		}
		return nil
	}})
	t.Log(out.String())
	if !errors.Is(err, ErrVerdict) || !strings.Contains(err.Error(), "0 lost, 0 doubled, 2 wrong") {
		t.Fatal(err)
	}
	for _, want := range []string{"recoveries   2 of 2 kills", "lost         0\n", "Every cell is what the log says.", "exit code 0", "not read through rowmark's client", "One row, as it is stored:"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo did not say %q", want)
		}
	}
	if strings.Contains(out.String(), "Next:") {
		t.Error("after a bad verdict it goes on as if all were well")
	}
	gone(t, pids, parent)
}

// uncommitted counts all records of the topic, those of aborted transactions included.
func uncommitted(t *testing.T, brokers []string) int64 {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(topic), kgo.KeepControlRecords(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ends, err := kadm.NewClient(client).ListEndOffsets(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	var left, n int64
	ends.Each(func(o kadm.ListedOffset) { left += o.Offset })
	for left > 0 {
		f := client.PollFetches(t.Context())
		if err := f.Err(); err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Records() {
			left--
			if !r.Attrs.IsControl() {
				n++
			}
		}
	}
	return n
}

// TestCutAnswers: answers that hold a part of an aborted transaction must say so, wherever they are cut.
func TestCutAnswers(t *testing.T) {
	t.Parallel()
	s := &session{services: &embedded{}, mode: embeddedMode, out: newPrinter(io.Discard, false, nil)}
	if err := s.services.start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.services.stop(false) }()
	if err := s.createTopic(t.Context()); err != nil {
		t.Fatal(err)
	}
	brokers := kgo.SeedBrokers(s.services.brokers()...)
	p, err := kgo.NewClient(brokers, kgo.DefaultProduceTopic(topic), kgo.TransactionalID("cut"), kgo.ProducerBatchMaxBytes(10_000), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const n = 400
	for _, end := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort, kgo.TryCommit} {
		batch := make([]order, n)
		for i := range batch {
			batch[i] = order{key: fmt.Sprint(i), value: bytes.Repeat([]byte{'x'}, 1000)}
		}
		if err := (&producer{}).transaction(t.Context(), p, batch, end); err != nil {
			t.Fatal(err)
		}
	}
	c, err := kgo.NewClient(brokers, kgo.ConsumeTopics(topic), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxBytes(30_000))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	seen, markers := 0, 0
	for markers < 3*partitions {
		f := c.PollFetches(t.Context())
		if err := f.Err(); err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Records() {
			if r.Attrs.IsControl() {
				markers++
			} else {
				seen++
			}
		}
	}
	if seen != 2*n {
		t.Errorf("%d records were read, want the %d committed ones", seen, 2*n)
	}
}

// TestKept runs the commands that a kept demo proposes.
func TestKept(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	binary := build(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var s *session
	out := &lines{seen: make(chan string, 1000)}
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, Options{Records: MinRecords, Keep: true, Binary: binary, Out: out, parent: parent, tempo: quick(), tamper: func(got *session) error {
			s = got
			return nil
		}})
	}()
	var said []string
	for ran := 0; ran < 4; {
		select {
		case err := <-done:
			t.Fatalf("it did not stay: %v", err)
		case line := <-out.seen:
			args, ok := strings.CutPrefix(line, "  rowmark ")
			if !ok {
				continue
			}
			text, err := exec.Command(binary, append(strings.Fields(args), "--log-format", "json")...).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", line, err, text)
			}
			said = append(said, string(text))
			ran++
		}
	}
	if !strings.Contains(said[0], "orders  3") || !strings.Contains(said[3], `"records":1000,"rows":0,`) {
		t.Errorf("the commands said %q", said)
	}
	if err := s.judge(ctx, &summary{records: MinRecords, aborted: 2 * MinRecords / transactions, took: time.Second}); err != nil {
		t.Errorf("after reading all again: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("a kept demo that is told to end gave %v", err)
	}
	gone(t, nil, parent)
}

// lines hands on each line that is written.
type lines struct {
	seen chan string
	rest string
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest += string(p)
	for {
		line, rest, ok := strings.Cut(l.rest, "\n")
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		l.seen <- line
	}
}

// TestInterrupted cancels it on its way, as a Ctrl-C does, and takes its output away, as the end of a pager does.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"Kafka, embedded", "rowmark init", "kill -9", "all is read", "the count"} {
		for _, keep := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, keep %v", at, keep), func(t *testing.T) {
				t.Parallel()
				parent := t.TempDir()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				o := &stopAt{text: at}
				if keep {
					o.err = errors.New("nobody reads")
				} else {
					o.stop = cancel
				}
				err := Run(ctx, Options{Records: MinRecords, Keep: keep, Binary: build(t), Out: o, parent: parent, tempo: quick()})
				if keep && !errors.Is(err, o.err) || !keep && !errors.Is(err, context.Canceled) {
					t.Errorf("it gave %v", err)
				}
				gone(t, nil, parent)
			})
		}
	}
}

// stopAt does something, or fails from then on, when a text is written.
type stopAt struct {
	text string
	stop func()
	err  error

	mu   sync.Mutex
	seen bool
}

func (w *stopAt) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.seen && strings.Contains(string(p), w.text) {
		w.seen = true
		if w.stop != nil {
			w.stop()
		}
	}
	if w.seen && w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}
