package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestShowRefuses(t *testing.T) {
	file := offline(t)
	command("", "offsets", "show", "-c", file, "-o", "yaml").wants(t, connector.ExitConfig, "", "use text or json")
	command("", "offsets", "show", "-c", file, "-o", "json", "--watch").wants(t, connector.ExitConfig, "", "--watch shows text")
}

// A partition without a checkpoint, one at the end, one with records that wait, and what a transaction holds back.
func TestShowTellsWhereEachPartitionStands(t *testing.T) {
	m := newMoving(t)
	m.run("offsets", "show").wants(t, 0, "in/1: no checkpoint yet; rowmark run begins at kafka.start, which is earliest\n", "")
	for _, p := range m.positions() {
		if p.Checkpoint != nil || p.Lag != nil || p.LagSeconds != nil || !p.Mapped || p.Mapping != "" {
			t.Errorf("without a checkpoint it is %+v", p)
		}
	}
	m.produce(0, noon, "a", "b")
	m.once()
	waiting := time.Now().Add(-90 * time.Minute)
	m.produce(1, waiting, "p", "q", "r")
	open, err := kgo.NewClient(kgo.SeedBrokers(m.brokers.cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID("open"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := open.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	if err := open.ProduceSync(t.Context(), &kgo.Record{Topic: "in", Partition: 1, Key: []byte("s")}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	all := m.positions()
	if p := all[0]; *p.Checkpoint != 2 || *p.Lag != 0 || *p.LagSeconds != 0 || p.Owner != "" || p.BeatSeconds != nil || p.Mapping != "same" || p.AdvancedAt == "" {
		t.Errorf("at the end it is %+v", p)
	}
	p := all[1]
	if *p.Checkpoint != 0 || p.LogStart != 0 || p.LastStable != 3 || p.LogEnd != 4 || p.End != 3 || *p.Lag != 3 {
		t.Errorf("behind the end it is %+v", p)
	}
	if late := time.Duration(*p.LagSeconds * float64(time.Second)); late < 90*time.Minute || late > 91*time.Minute {
		t.Errorf("the first record waits for %s", late)
	}
	got := m.run("offsets", "show", "--topic", "in")
	if want := "TOPIC  PARTITION  CHECKPOINT  LOG START  STABLE  LOG END  LAG  BEHIND  EPOCH  ADVANCED"; !strings.HasPrefix(got.out, want) {
		t.Errorf("got %s", got.out)
	}
	got.wants(t, 0, "in     1          0           0          3       4        3    1h30m   1      ", "")
	m.run("offsets", "show", "--topic", "out").wants(t, 0, "sink s has no checkpoint yet, and none of its topics is there\n", "")

	// The file reads another topic now, by another mapping.
	m.file = writeFile(t, "rowmark.yaml", strings.Replace(m.text(""), "topics: [in]", "topics: [out]", 1))
	got = m.run("offsets", "show")
	got.wants(t, 0, "in/0: the mapping that it goes by is not the one of the file\n", "")
	got.wants(t, 0, "in/0: no mapping of the file reads it, or kafka.partitions leaves it out\n", "")
}

// An owner beats; one that does not for a lease may be gone.
func TestShowTellsOfOwners(t *testing.T) {
	m := newMoving(t)
	client, err := hbase.Open(t.Context(), m.base.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	store := &connector.Store{Client: client, Table: "rowmark", Sink: "s"}
	held := core.Checkpoint{Position: core.Position{Epoch: 4, Owner: core.Owner{1}}, Who: "host pid 7", LeaderEpoch: -1}
	if res := store.Swap(t.Context(), kafka.TopicPartition{Topic: "in"}, nil, held); res.Outcome != hbase.Applied {
		t.Fatal(res.Err)
	}
	if p := m.positions()[0]; p.Owner != "host pid 7" || p.BeatSeconds == nil || *p.BeatSeconds > 0.9 || p.LeaseOver || p.Epoch != 4 {
		t.Errorf("got %+v", p)
	}
	m.run("offsets", "show").wants(t, 0, "host pid 7, beat 0", "")
	short := []string{"--set", "checkpoint.lease=3ms", "--set", "checkpoint.interval=1ms"}
	if got := m.run(append([]string{"offsets", "show"}, short...)...); got.code != 0 || !strings.Contains(got.out, "host pid 7, no beat for 0") || !strings.Contains(got.out, "its lease of 3ms is over") {
		t.Errorf("got %+v", got)
	}
}

// The pages follow each other until they are no longer wanted, and a page that can't be had says why.
func TestWatchShowsPageAfterPage(t *testing.T) {
	m := newMoving(t)
	ctx, cancel := context.WithCancel(t.Context())
	pages := pageWriter{cancel: cancel}
	root := newRoot()
	root.SetOut(&pages)
	root.SetContext(ctx)
	if code := execute(root, []string{"offsets", "show", "--watch", "-c", m.file, "--log-level", "error"}); code != 0 {
		t.Errorf("ended with %d", code)
	}
	if len(pages.seen) != 2 || !strings.Contains(pages.seen[1], ", sink s\n\nTOPIC  PARTITION") || strings.Contains(pages.seen[1], "\x1b") {
		t.Errorf("got %q", pages.seen)
	}
}

// pageWriter wants two pages.
type pageWriter struct {
	cancel context.CancelFunc
	seen   []string
}

func (p *pageWriter) Write(b []byte) (int, error) {
	if p.seen = append(p.seen, string(b)); len(p.seen) == 2 {
		p.cancel()
	}
	return len(b), nil
}

func TestSpansAreShownInTwoUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 0: "0s", 840 * time.Millisecond: "0.8s", 3 * time.Second: "3s", 9950 * time.Millisecond: "9.9s", 42 * time.Second: "42s",
		192 * time.Second: "3m12s", 5*time.Hour + 3*time.Minute + 9*time.Second: "5h3m", 52 * time.Hour: "2d4h",
	} {
		if got := span(d); got != want {
			t.Errorf("%s is shown as %s, want %s", d, got, want)
		}
	}
}
