package e2e

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// counts produces n records on n keys from first on, each counting 1.
func (w *world) counts(topic string, first, n int) {
	w.t.Helper()
	// A topic made again is not known everywhere at once.
	c := w.producer()
	defer c.Close()
	for i := first; i < first+n; i++ {
		eventually(w.t, "the topic to take records", func() bool {
			return c.ProduceSync(context.Background(), record(topic, 0, fmt.Sprintf("k%02d", i), fmt.Sprintf(`{"v":"%d","n":1}`, i))).FirstErr() == nil
		})
	}
}

// counted gives the counts of k00 to k29 as digits.
func (w *world) counted(table string) string {
	w.t.Helper()
	cells := w.cells(table)
	var b strings.Builder
	for i := range 30 {
		fmt.Fprint(&b, long(w.t, cells, fmt.Sprintf("k%02d", i), "c:n"))
	}
	return strings.TrimRight(b.String(), "0")
}

func (w *world) wantCounts(want string) {
	w.t.Helper()
	if got := w.counted(w.name + "_t"); got != want {
		w.t.Fatalf("the counts are %s, want %s", got, want)
	}
}

// TestHole deletes records before they are read.
func TestHole(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config)
	w.counts(topic, 0, 5)
	w.once(config)
	w.counts(topic, 5, 10)
	at := kadm.Offsets{}
	at.AddOffset(topic, 0, 12, -1)
	if _, err := w.admin.DeleteRecords(context.Background(), at); err != nil {
		t.Fatal(err)
	}
	w.start(config, "--once").ends(9, "[5, 12)", "7 offsets", "kafka.out_of_range")
	w.start(config).ends(9, "[5, 12)")
	w.wantCounts("11111")
	w.once(config, "--set", "kafka.out_of_range=earliest")
	w.wantCounts("111110000000111")
	w.once(config)
	w.wantCounts("111110000000111")
}

// recreate deletes a topic and makes it anew.
func (w *world) recreate(topic string) {
	w.t.Helper()
	ctx := context.Background()
	if _, err := w.admin.DeleteTopic(ctx, topic); err != nil {
		w.t.Fatal(err)
	}
	eventually(w.t, "the new topic", func() bool {
		_, err := w.admin.CreateTopic(ctx, 1, 1, nil, topic)
		return err == nil
	})
}

// TestTopicRecreated makes the topic anew, so that its offsets mean other records.
func TestTopicRecreated(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config)
	w.counts(topic, 0, 10)
	w.once(config)
	w.recreate(topic)
	w.counts(topic, 0, 4)
	w.start(config, "--once").ends(10, "created again", "new-incarnation")
	w.wantCounts("1111111111")
	set := []string{"offsets", "set", "--yes", "--to", "2", "-c", config}
	command(t, nil, set...).ends(10, "--new-incarnation")
	command(t, nil, "offsets", "show", "-c", config).ends(0, "the topic is not the one that the checkpoint speaks of")
	anew := []string{"--set", "kafka.log_changed=new-incarnation"}
	w.once(config, anew...)
	w.wantCounts("2222111111")
	w.once(config)
	w.wantCounts("2222111111")

	// A place in the new log goes without the setting, and no lower one is lost by it.
	w.recreate(topic)
	w.counts(topic, 0, 4)
	command(t, nil, append(set, "--new-incarnation")...).ends(0, "incarnation 2 of the log begins here")
	w.once(config)
	w.wantCounts("2233111111")
	command(t, nil, "offsets", "set", "--yes", "--to", "earliest", "-c", config).ends(0, "will be read again")
	w.once(config)
	w.wantCounts("3333111111")

	p := w.start(config) // and under the running connector
	p.says("partition taken", 1)
	w.recreate(topic)
	w.counts(topic, 0, 2)
	p.ends(10, "created again")
	q := w.start(config, anew...)
	// The brokers are asked again for some seconds before a log counts as another one.
	eventually(t, "the incarnation after that", func() bool { return w.counted(w.name+"_t") == "4433111111" })
	w.recreate(topic)
	w.counts(topic, 0, 1)
	eventually(t, "the last incarnation", func() bool { return w.counted(w.name+"_t") == "5433111111" })
	q.signal(syscall.SIGTERM)
	q.ends(0)
}

// TestMissingTopics starts with no topic, and with one of two.
func TestMissingTopics(t *testing.T) {
	w := newWorld(t)
	config := w.config(strings.Replace(plainTables, "[$NAME_in]", "[$NAME_in, $NAME_late]", 1))
	w.init(config)
	w.start(config).ends(6, "none of the configured topics exists", w.name+"_late")
	w.start(config, "--once").ends(6, "none of the configured topics exists")
	topic := w.topic("in", 1, nil)
	w.once(w.config(plainTables)) // an empty topic
	w.counts(topic, 0, 2)
	w.start(config, "--once").ends(6, w.name+"_late")
	w.wantCounts("11")
	p := w.start(config)
	p.says("can't be read", 1)
	w.counts(w.topic("late", 1, nil), 5, 1)
	if _, err := w.admin.CreatePartitions(context.Background(), 1, topic); err != nil {
		t.Fatal(err)
	}
	w.produce(record(topic, 1, "k06", `{"n":1}`)) // and a partition that is added
	eventually(t, "the late topic and partition", func() bool { return w.counted(w.name+"_t") == "1100011" })
	p.signal(syscall.SIGTERM)
	p.ends(0)
}

// TestTransactions ends a log by markers, which are no records.
func TestTransactions(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 2, nil), w.config(plainTables)
	w.init(config)
	rec := func(p int32, key string) *kgo.Record { return record(topic, p, key, `{"n":1}`) }
	w.transaction([]*kgo.Record{rec(0, "k00"), rec(1, "k01")}, true)
	w.transaction([]*kgo.Record{rec(0, "k02")}, false)
	w.transaction([]*kgo.Record{rec(1, "k03")}, true)
	w.transaction([]*kgo.Record{rec(1, "k04")}, false)
	p := w.start(config)
	w.caughtUp(config, 2)
	w.wantCounts("1101")
	if strings.Contains(p.output(), `"level":"warn"`) {
		t.Error("markers gave warnings")
	}
	// An open transaction holds back what lies behind it, and its end lets it pass.
	open := w.producer(kgo.TransactionalID(w.name))
	if err := open.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	if err := open.ProduceSync(context.Background(), rec(0, "k05")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	w.produce(rec(0, "k06"), rec(1, "k07"))
	eventually(t, "the partition without a transaction", func() bool { return w.counted(w.name+"_t") == "11010001" })
	w.once(config, w.under("other"), "--set", "kafka.isolation=read_uncommitted")
	w.wantCounts("22121112")
	if err := open.EndTransaction(context.Background(), kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	w.caughtUp(config, 2)
	w.wantCounts("22121222")
	p.signal(syscall.SIGTERM)
	p.ends(0)
}

// TestRecordShapes reads what brokers and producers can make of records.
func TestRecordShapes(t *testing.T) {
	w := newWorld(t)
	topic := w.topic("in", 1, map[string]string{"max.message.bytes": "20000000", "message.timestamp.type": "LogAppendTime"})
	config := w.config(strings.Replace(plainTables, "on_tombstone: ignore", "on_tombstone: ignore\n    on_error: skip", 1))
	w.init(config)
	began := time.Now().Add(-time.Minute).UnixMilli()
	for i, codec := range []kgo.CompressionCodec{
		kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
	} {
		c := w.producer(kgo.ProducerBatchCompression(codec))
		for n := range 3 {
			r := record(topic, 0, fmt.Sprintf("k%02d", i), fmt.Sprintf(`{"v":"%s","n":1}`, strings.Repeat("x", 500*n)))
			r.Timestamp = time.UnixMilli(1000)
			if err := c.ProduceSync(context.Background(), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
	big := record(topic, 0, "k05", fmt.Sprintf(`{"v":"%s","n":1}`, strings.Repeat("y", 3<<20)))
	many := record(topic, 0, "k06", `{"v":"h","n":1}`)
	for i := range 5000 {
		many.Headers = append(many.Headers, kgo.RecordHeader{Key: fmt.Sprintf("h%d", i), Value: []byte("v")})
	}
	noKey := record(topic, 0, "", `{"v":"no key","n":1}`)
	noKey.Key = nil
	huge := record(topic, 0, "k08", fmt.Sprintf(`{"v":"%s","n":1}`, strings.Repeat("z", 11<<20)))
	w.produce(big, many, record(topic, 0, "", `{"v":"empty key","n":1}`), noKey, record(topic, 0, "k07", ``), huge,
		record(topic, 0, strings.Repeat("k", 40000), `{"n":1}`), record(topic, 0, "k07", `{"v":"t","n":1}`))
	w.once(config).ends(0, `"skipped":5`) // both keys, the empty value, the cell of 11 MB and the long key
	w.wantCounts("33333111")
	for _, c := range w.cells(w.name + "_t") {
		if c.Family == "d" && c.Timestamp < began {
			t.Errorf("row %s has the producer's time, want the broker's", c.Row)
		}
		if c.Row == "k05" && c.Family == "d" && len(c.Value) != 3<<20 {
			t.Errorf("the large cell holds %d bytes", len(c.Value))
		}
	}
	// Without the policy, the huge cell is an error of its record.
	for _, commit := range []string{"region", "row"} {
		fail := w.config(strings.Replace(plainTables, "$NAME_t", "$NAME_t2", 1))
		w.init(fail)
		w.start(fail, w.under(commit), "--once", "--set", "kafka.start=offset:20", "--set", "hbase.commit="+commit).
			ends(4, "offset 20: writing row")
	}
}

// TestStart begins where kafka.start says.
func TestStart(t *testing.T) {
	w := newWorld(t)
	topic, config := w.topic("in", 1, nil), w.config(plainTables)
	w.init(config)
	now := time.Now().Truncate(time.Second)
	for i := range 6 {
		r := record(topic, 0, fmt.Sprintf("k%02d", i), `{"n":1}`)
		r.Timestamp = now.Add(time.Duration(i-6) * time.Hour)
		w.produce(r)
	}
	for i, start := range []string{"latest", "offset:4", now.Add(-4 * time.Hour).UTC().Format(time.RFC3339)} {
		w.once(config, w.under(fmt.Sprintf("s%d", i)), "--set", "kafka.start="+start)
	}
	w.wantCounts("001122")
	w.once(config, w.under("s0"), "--set", "kafka.start=earliest") // there is a checkpoint
	w.wantCounts("001122")
}
