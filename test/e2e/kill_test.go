package e2e

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// mixedTables is a mapping that uses every operation: puts, nulls, columns named by the record, counters, appends and
// tombstones on rows of one partition, and counters and appends on a few hot rows that all partitions write.
const mixedTables = `
  - topics: [$NAME_in]
    table: $NAME_rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.note, to: "d:note", on_null: delete}
      - {field: value.total, to: "d:total", as: float64}
      - {fields: "value.o.*", to_family: o}
      - {field: value.inc, to: "c:inc", op: increment}
      - {field: value.tag, to: "a:tag", op: append}
    on_tombstone: delete-row
  - topics: [$NAME_in]
    table: $NAME_hot
    key: {format: string}
    value: {format: json}
    row_key: [{field: value.hot}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.inc, to: "c:inc", op: increment}
      - {field: value.tag, to: "a:tag", op: append}
    on_tombstone: ignore
`

// mixedRecords makes random records for mixedTables. Their times run forth and back.
func mixedRecords(rnd *rand.Rand, topic string, partitions, from, n, keys int) []*kgo.Record {
	out := make([]*kgo.Record, n)
	for i := range out {
		id := from + i
		key := rnd.IntN(keys)
		r := &kgo.Record{
			Topic: topic, Partition: int32(key % partitions), Key: []byte(fmt.Sprintf("k%d", key)),
			Timestamp: time.Now().Add(time.Duration(rnd.IntN(4000)-3000) * time.Millisecond),
		}
		out[i] = r
		if rnd.IntN(12) == 0 {
			continue // a tombstone
		}
		r.Value = []byte(fmt.Sprintf(`{"hot":"h%d","inc":%d,"tag":"%d:%d,","o":{"%d":"x"}`, rnd.IntN(8), int64(rnd.Uint64()), r.Partition, id, id))
		if rnd.IntN(3) > 0 {
			r.Value = fmt.Appendf(r.Value, `,"status":"s%d","total":%d.25`, id, id)
		}
		switch rnd.IntN(4) {
		case 0:
			r.Value = append(r.Value, `,"note":null`...)
		case 1:
			r.Value = fmt.Appendf(r.Value, `,"note":"n%d"`, id)
		}
		r.Value = append(r.Value, '}')
	}
	return out
}

// foldMixed says what mixedTables make of records.
func (w *world) foldMixed(records []*kgo.Record) truth {
	w.t.Helper()
	want := truth{}
	w.foldMixedInto(want, "", records)
	return want
}

// foldMixedInto adds the records of one incarnation of the log to what the tables hold.
func (w *world) foldMixedInto(want truth, incarnation string, records []*kgo.Record) {
	w.t.Helper()
	for _, rec := range records {
		r := want.row(w.name+"_rows", string(rec.Key))
		r.mark(w.sink(), incarnation, rec)
		if rec.Value == nil {
			clear(r.puts)
			continue
		}
		var v struct {
			Hot, Tag string
			Status   *string
			Note     json.RawMessage
			Total    float64
			Inc      json.Number
			O        map[string]string
		}
		if err := json.Unmarshal(rec.Value, &v); err != nil {
			w.t.Fatal(err)
		}
		inc, err := strconv.ParseInt(v.Inc.String(), 10, 64)
		if err != nil {
			w.t.Fatal(err)
		}
		if v.Status != nil {
			r.puts["d:status"] = *v.Status
			r.puts["d:total"] = string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v.Total)))
		}
		if string(v.Note) == "null" {
			delete(r.puts, "d:note")
		} else if v.Note != nil {
			r.puts["d:note"], _ = strconv.Unquote(string(v.Note))
		}
		for q, x := range v.O {
			r.puts["o:"+q] = x
		}
		h := want.row(w.name+"_hot", v.Hot)
		h.mark(w.sink(), incarnation, rec)
		h.counters["c:n"]++
		for _, x := range []*row{r, h} {
			x.counters["c:inc"] += inc // overflows as HBase does
			x.appends["a:tag"] = append(x.appends["a:tag"], v.Tag)
		}
	}
}

// transaction writes records in one transaction and ends it.
func (w *world) transaction(records []*kgo.Record, commit bool) {
	w.t.Helper()
	ctx := context.Background()
	c := w.producer(kgo.TransactionalID(fmt.Sprintf("%s-%d", w.name, rand.Uint64())))
	if err := c.BeginTransaction(); err != nil {
		w.t.Fatal(err)
	}
	if err := c.ProduceSync(ctx, records...).FirstErr(); err != nil {
		w.t.Fatal(err)
	}
	if err := c.EndTransaction(ctx, kgo.TransactionEndTry(commit)); err != nil {
		w.t.Fatal(err)
	}
}

// TestKilled kills the connector again and again while records flow.
func TestKilled(t *testing.T) {
	for name, args := range map[string][]string{
		"region": {"--set=hbase.commit=region"},
		"row":    {"--set=hbase.commit=row"},
		// Every bound is met all the time.
		"tight": {
			"--set=checkpoint.ceiling=100", "--set=memory.rows=10", "--set=batch.rows=7", "--set=batch.bytes=1kB",
			"--set=memory.in_flight=4kB", "--set=kafka.fetch.max_bytes=10kB", "--set=memory.window=40kB", "--set=batch.linger=1ms",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			rnd := rand.New(rand.NewPCG(1, uint64(len(name))))
			const partitions, batch, keys = 3, 500, 2000
			batches := 40
			if name == "tight" {
				batches = 16
			}
			topic := w.topic("in", partitions, nil)
			config := w.config(mixedTables)
			w.init(config, args...)

			flow := func(from, to int) {
				for i := from; i < to; i++ {
					switch recs := mixedRecords(rnd, topic, partitions, i*batch, batch, keys); i % 8 {
					case 3:
						w.transaction(recs, false)
					case 5:
						w.transaction(recs, true)
					default:
						w.produce(recs...)
					}
				}
			}
			flow(0, batches/2)
			flowed := make(chan struct{})
			go func() { defer close(flowed); flow(batches/2, batches) }()
			replayed := 0
			for range 5 {
				p := w.start(config, args...)
				p.says("partition taken", partitions)
				time.Sleep(time.Duration(rand.IntN(600)) * time.Millisecond) // any moment will do
				if !p.alive() {
					t.Fatal("the connector ended by itself")
				}
				p.kill()
				for _, pos := range w.positions(config) {
					if pos.Lag > 0 {
						replayed++
					}
				}
			}
			<-flowed
			if replayed == 0 {
				t.Fatal("no kill met records on their way")
			}
			w.once(config, args...)
			w.caughtUp(config, partitions)
			w.verify(w.foldMixed(w.committed(topic)))
		})
	}
}
