package kafka

import (
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A compacted log has holes in its batches, batches without a record, and markers of transactions whose records are
// gone. It reads as franz-go reads it, from every offset, and to the end.
func TestRealCompaction(t *testing.T) {
	r := realKafka(t)
	topic := r.topic(t, 1, "cleanup.policy", "compact", "segment.ms", "200", "segment.bytes", "1048576", "min.cleanable.dirty.ratio", "0.01",
		"delete.retention.ms", "100", "min.compaction.lag.ms", "0", "max.compaction.lag.ms", "500")
	tp := TopicPartition{topic, 0}
	written := 0
	round := func(n int) {
		codecs := []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}
		// Each producer's last batch stays, empty, while the broker remembers its sequence.
		p := producer(t, r.brokers, kgo.ProducerBatchCompression(codecs[n%len(codecs)]))
		for i := range 4 {
			var recs []*kgo.Record
			for k := range 6 {
				rec := &kgo.Record{Topic: topic, Key: fmt.Append(nil, "k", k), Value: fmt.Append(nil, n, ".", i)}
				if k == n%6 && i == 3 {
					rec.Value = nil
				}
				recs = append(recs, rec)
			}
			recs = append(recs, &kgo.Record{Topic: topic, Key: fmt.Append(nil, "only", n, ".", i), Value: []byte{}})
			produce(t, p, recs...)
			written += len(recs)
		}
		tx := producer(t, r.brokers, kgo.TransactionalID(fmt.Sprint(topic, n)))
		for _, commit := range []kgo.TransactionEndTry{kgo.TryAbort, kgo.TryCommit} {
			if err := tx.BeginTransaction(); err != nil {
				t.Fatal(err)
			}
			produce(t, tx, &kgo.Record{Topic: topic, Key: []byte("k1"), Value: fmt.Append(nil, commit, n)})
			if err := tx.EndTransaction(testContext(t), commit); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(250 * time.Millisecond) // the next round is in a segment of its own
	}
	for n := range 10 {
		round(n)
	}
	c := open(t, Config{Brokers: r.brokers, ReadCommitted: true})
	high := end(t, c, tp, Latest)
	pull := newPuller(t, c)
	var ours []Record
	// Counted against what was written: the cleaner may have passed before the first read.
	until(t, "the cleaner", func() bool {
		ours = pull.readTo(t, tp, 0, high)
		time.Sleep(500 * time.Millisecond)
		return len(ours) < written-150
	})
	theirs := oracle(t, r.brokers, tp, high, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	ours = pull.readTo(t, tp, 0, high)
	if err := sameRecords(ours, theirs); err != nil {
		t.Error(err)
	}
	t.Logf("%d offsets, %d records written, %d after compaction", high, written, len(ours))
	for from := range high {
		recs := pull.readTo(t, tp, from, high)
		for len(ours) > 0 && ours[0].Offset < from {
			ours = ours[1:]
		}
		if fmt.Sprint(offsetsOf(recs)) != fmt.Sprint(offsetsOf(ours)) {
			t.Fatalf("from %d: offsets %v, not %v", from, offsetsOf(recs), offsetsOf(ours))
		}
	}
}
