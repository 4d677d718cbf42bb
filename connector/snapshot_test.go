package connector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/status"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kgo"
)

// What went before a record that stops its partition stands in the snapshot, and why it stopped.
func TestSnapshotOfAFailedPartition(t *testing.T) {
	var w running
	w.start(t, nil, "t")
	w.configure(t, watched, "fail")
	w.produce(t, &kgo.Record{Key: []byte("a"), Value: []byte(`{"n":1}`)}, &kgo.Record{Key: []byte("b"), Value: []byte(`{"n":"x"}`)}, &kgo.Record{Key: []byte("c"), Value: []byte(`{"n":2}`)})
	e, err := New(t.Context(), w.opts)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if s := e.Snapshot(); s.Phase != status.Connecting || s.Sink != "s" || s.Delivery != "exactly-once" || len(s.Sources) != 0 {
		t.Errorf("before the run: %+v", s)
	}
	before := e.Snapshot()
	if err := e.Run(t.Context()); err == nil {
		t.Fatal("the record was passed")
	}
	s := e.Snapshot()
	if before == s || before.Phase != status.Connecting {
		t.Error("a snapshot was changed")
	}
	src := s.Sources[0]
	if src.State != "failed" || src.Checkpoint != 1 || src.End != 3 || src.LagRecords != 2 || src.LagSeconds < 0 || src.LagSeconds > 60 || src.Records != 1 || !strings.Contains(src.Error, "offset 1") {
		t.Errorf("%+v", src)
	}
	if len(s.Recent) != 1 || s.Recent[0].Kind != "failed" || s.Recent[0].Offset != 1 || s.Recent[0].Topic != "t" || !strings.Contains(s.Recent[0].Text, "offset 1") {
		t.Errorf("recent: %+v", s.Recent)
	}
	calls := int64(0)
	for _, n := range s.Traffic.HBaseCalls {
		calls += n
	}
	if want := e.Traffic(); calls == 0 || calls > want.HBaseCalls || s.Traffic.HBaseCalls["ExecService"] == 0 || s.Traffic.RegionLookups == 0 || s.Traffic.KafkaRanges == 0 {
		t.Errorf("%+v, want at most %+v", s.Traffic, want)
	}
}

// A table that takes no region transactions says why it goes row by row.
func TestSnapshotTellsOfRowMode(t *testing.T) {
	var w running
	w.start(t, func(f hbasetest.FrameInfo) hbasetest.Fault {
		if f.Method == "ExecService" && f.Table == "shop:t" {
			return hbasetest.Fault{Kind: hbasetest.Throw, Class: "exceptions.UnknownProtocolException"}
		}
		return hbasetest.Fault{}
	}, "t")
	w.configure(t, watched, "fail")
	w.produce(t, &kgo.Record{Key: []byte("a"), Value: []byte(`{"n":1}`)})
	s := w.whole(t).Snapshot()
	if len(s.Tables) != 1 || s.Tables[0].Mode != "row" || s.Tables[0].RowModeReason == "" || s.Tables[0].Rows != 1 {
		t.Errorf("%+v", s.Tables)
	}
}

// While a service does not answer the snapshot says so, and since when.
func TestSnapshotTellsOfServicesThatAreAway(t *testing.T) {
	var w running
	down := make(chan struct{})
	w.start(t, func(f hbasetest.FrameInfo) hbasetest.Fault {
		select {
		case <-down:
			return hbasetest.Fault{Kind: hbasetest.Throw}
		default:
			return hbasetest.Fault{}
		}
	}, "t")
	w.configure(t, watched, "fail")
	w.opts.Core.Once = false
	w.opts.Core.CheckpointEvery, w.opts.Core.Lease = 50*time.Millisecond, 300*time.Millisecond
	w.opts.CallTimeout, w.opts.ShutdownTimeout = 200*time.Millisecond, time.Second
	ctx, cancel := context.WithCancel(t.Context())
	e, err := New(ctx, w.opts)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	until(t, "the partition runs", func() bool { s := e.Snapshot(); return len(s.Sources) == 1 && s.Sources[0].State == "running" })
	if s := e.Snapshot(); s.HBase.Error != "" || s.Kafka.Error != "" || s.Phase != status.Running {
		t.Errorf("%+v", s)
	}
	close(down)
	until(t, "hbase is known to be away", func() bool { return e.Snapshot().HBase.Error != "" })
	if s := e.Snapshot(); s.HBase.Since.IsZero() || s.Kafka.Error != "" {
		t.Errorf("%+v", s)
	}
	cancel()
	if err := <-done; ExitCode(err) != ExitShutdown {
		t.Errorf("stopped without HBase: %v", err)
	}
	e.Close()
}

func TestSideRemembersTheFirstError(t *testing.T) {
	var s side
	s.answered(nil)
	if s.told() != (status.Side{}) {
		t.Errorf("%+v", s.told())
	}
	s.answered(errors.New("first"))
	first := s.told()
	s.answered(fmt.Errorf("stopping: %w", context.Canceled))
	s.answered(errors.New("second"))
	if got := s.told(); got.Error != "second" || got.Since != first.Since || first.Since.IsZero() {
		t.Errorf("%+v after %+v", got, first)
	}
	s.answered(nil)
	if s.told() != (status.Side{}) {
		t.Errorf("after an answer: %+v", s.told())
	}
}

func TestRecentEventsStandTogether(t *testing.T) {
	var r recent
	tp := func(n int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: n} }
	for i := range int64(1000) {
		r.add("skipped", core.Report{TopicPartition: tp(0), Offset: i, Err: fmt.Errorf("offset %d", i)})
		r.add("skipped", core.Report{TopicPartition: tp(1), Offset: i})
	}
	r.add("retry", core.Report{TopicPartition: tp(0), Table: "a"})
	r.add("skipped", core.Report{TopicPartition: tp(0), Offset: 1000, Err: errors.New("last")})
	got := r.list()
	want := []status.Event{
		{Kind: "skipped", Topic: "t", Partition: 0, Offset: 1000, Text: "last", Count: 1001},
		{Kind: "retry", Topic: "t", Partition: 0, Table: "a", Count: 1},
		{Kind: "skipped", Topic: "t", Partition: 1, Offset: 999, Count: 1000},
	}
	for i := range want {
		if i < len(got) {
			want[i].At = got[i].At
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for i := range int32(2 * status.RecentMax) {
		r.add("failed", core.Report{TopicPartition: tp(i)})
	}
	got = r.list()
	if len(got) != status.RecentMax || got[0].Partition != 2*status.RecentMax-1 || got[status.RecentMax-1].Partition != status.RecentMax {
		t.Errorf("%d events, from %+v to %+v", len(got), got[0], got[len(got)-1])
	}
}

func TestRateIsOverTheLastSeconds(t *testing.T) {
	var p pace
	at := time.Now()
	steps := []struct {
		after   time.Duration
		records int64
		rate    float64
	}{
		{0, 0, 0},
		{time.Second, 100, 100},
		{100 * time.Millisecond, 110, 100}, // a snapshot out of turn
		{900 * time.Millisecond, 200, 100},
		{8 * time.Second, 1000, 100},
		{time.Second, 1000, 90}, // the first second is passed
		{20 * time.Second, 1000, 0},
		{time.Second, 1000, 0},
	}
	for i, s := range steps {
		at = at.Add(s.after)
		if got := p.take(at, s.records); math.Abs(got-s.rate) > 1e-9 {
			t.Errorf("step %d: %v a second, want %v", i, got, s.rate)
		}
	}
	for range 1000 {
		at = at.Add(time.Second)
		p.take(at, 1000)
	}
	if len(p.at) > 13 {
		t.Errorf("%d samples are kept", len(p.at))
	}
}
