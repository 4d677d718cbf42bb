package connector

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// committed drives a mirror by hand.
type committed struct {
	mirror
	got    map[kafka.TopicPartition]int64 // of the last commit
	err    error
	warned int
}

func newCommitted() *committed {
	c := &committed{}
	c.begin(func(_ context.Context, next map[kafka.TopicPartition]int64) error {
		c.got = next
		return c.err
	}, func(error) { c.warned++ })
	return c
}

// round commits what is due, and gives it as text.
func (c *committed) round(t *testing.T, now time.Time, ours map[kafka.TopicPartition]int64) string {
	t.Helper()
	c.got = nil
	if next := c.mirror.round(now, ours); next != nil {
		c.tell(t.Context(), next)
	}
	if c.got == nil {
		return "nothing"
	}
	return fmt.Sprint(c.got)
}

func TestMirrorTellsWhatMoved(t *testing.T) {
	c := newCommitted()
	type at = map[kafka.TopicPartition]int64
	a, b := kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}
	now := time.Now()
	want := func(ours at, text string) {
		t.Helper()
		now = now.Add(mirrorEvery)
		if got := c.round(t, now, ours); got != text {
			t.Errorf("committed %s, want %s", got, text)
		}
	}
	want(at{}, "nothing")
	want(at{a: 0, b: 5}, "map[t/0:0 t/1:5]")
	want(at{a: 0, b: 5}, "nothing")
	want(at{a: 3, b: 5}, "map[t/0:3]")
	want(at{a: 1, b: 5}, "map[t/0:1]") // offsets set back
	c.release(b, 7)
	want(at{a: 1}, "map[t/1:7]")
	want(at{a: 1}, "nothing")
	want(at{a: 1, b: 7}, "map[t/1:7]") // it came back, and another may have had it
	c.release(b, 8)
	c.last(t.Context())
	if got := fmt.Sprint(c.got); got != "map[t/1:8]" {
		t.Errorf("committed last: %s", got)
	}
	now = now.Add(mirrorAgain)
	want(at{a: 1}, "map[t/0:1]")
}

func TestMirrorBacksOff(t *testing.T) {
	c := newCommitted()
	ours := map[kafka.TopicPartition]int64{{Topic: "t"}: 4}
	c.err = errors.New("no right")
	rounds := 0
	begun := time.Now()
	for at := begun; at.Before(begun.Add(time.Hour)); at = at.Add(mirrorEvery) {
		if c.round(t, at, ours) != "nothing" {
			rounds++
			c.notYet = at.Add(time.Until(c.notYet)) // the clock of this test
		}
	}
	if rounds < 12 || rounds > 24 || c.warned != rounds {
		t.Errorf("%d attempts in an hour and %d warnings", rounds, c.warned)
	}
	c.err = nil
	if got := c.round(t, c.notYet, ours); got != "map[t/0:4]" {
		t.Errorf("committed %s", got)
	}
	if c.fails != 0 {
		t.Error("a success does not end the back-off")
	}
	c.err = fmt.Errorf("so: %w", kafka.ErrNoMember)
	ours[kafka.TopicPartition{Topic: "t"}] = 5
	warned := c.warned
	for range 2 { // a rebalance is no failure
		if got := c.round(t, c.notYet, ours); got != "map[t/0:5]" || c.warned != warned {
			t.Errorf("committed %s, %d warnings", got, c.warned-warned)
		}
	}
}

const mirrorConfig = `sink: s
kafka: {brokers: ["%s"], group_id: lag, mirror_positions: true, assignment: %[3]s, session_timeout: 6s}
hbase: {zookeeper: ["%[2]s"]}
checkpoint: {interval: 100ms, lease: 1s}
tables:
  - topics: [t]
    table: t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.a, to: "d:a"}]
`

// Tools that look at groups see what the checkpoints say: after a stop, exactly.
func TestMirrorShowsLag(t *testing.T) {
	for _, assignment := range []string{"static", "group"} {
		t.Run(assignment, func(t *testing.T) {
			w := &running{}
			w.start(t, nil, "t")
			for i := range 7 {
				w.produce(t, &kgo.Record{Key: fmt.Append(nil, i), Value: []byte(`{"a":1}`)})
			}
			w.configure(t, mirrorConfig, assignment)
			w.opts.Core.Once = assignment == "static"
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			done := w.run(t, ctx)
			if assignment == "group" {
				until(t, "all rows are there", func() bool { return len(w.rows(t, "t")) == 7 })
				stop()
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			lags, err := kadm.NewClient(w.client(t)).Lag(t.Context(), "lag")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := lags["lag"].Lag.Lookup("t", 0)
			if got.Commit.At != 7 || got.Lag != 0 {
				t.Errorf("the position is %d, the lag %d (%v)", got.Commit.At, got.Lag, lags.Error())
			}
		})
	}
}

// A group that other consumers use takes no positions; that is no reason to stop.
func TestMirrorFailsInPeace(t *testing.T) {
	w := &running{}
	w.start(t, nil, "t")
	w.produce(t, &kgo.Record{Key: []byte("k"), Value: []byte(`{"a":1}`)})
	member := w.client(t, kgo.ConsumerGroup("lag"), kgo.ConsumeTopics("t"), kgo.DisableAutoCommit())
	if err := member.PollFetches(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	w.configure(t, mirrorConfig, "static")
	if err := <-w.run(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.log.String(), "kafka.mirror_positions") {
		t.Error("nothing is said of it")
	}
	offsets, err := kadm.NewClient(w.client(t)).FetchOffsets(t.Context(), "lag")
	if o, ok := offsets.Lookup("t", 0); err != nil || ok {
		t.Errorf("the group's own position was moved to %d: %v", o.At, err)
	}
}
