package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// windowRows is what is reprocessed, and windowCounts a table beside it that counts each record.
const (
	windowRows = `
  - topics: [$NAME_in]
    table: $NAME_rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.note, to: "d:note", on_null: delete}
    on_tombstone: delete-row
`
	windowCounts = `
  - topics: [$NAME_in]
    table: $NAME_counts
    key: {format: string}
    value: {format: json}
    row_key: [{field: partition}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
    on_tombstone: ignore
`
)

// windowRecords makes records of rising times, a second apart, and some late or far ahead.
func windowRecords(rnd *rand.Rand, topic string, from time.Time, n, first int) []*kgo.Record {
	out := make([]*kgo.Record, n)
	for i := range out {
		key := rnd.IntN(400)
		r := &kgo.Record{Topic: topic, Partition: int32(key % 2), Key: fmt.Appendf(nil, "k%d", key), Timestamp: from.Add(time.Duration(i) * time.Second)}
		switch rnd.IntN(20) {
		case 0:
			r.Timestamp = r.Timestamp.Add(-time.Duration(rnd.IntN(2000)) * time.Second)
		case 1:
			r.Timestamp = r.Timestamp.Add(time.Duration(rnd.IntN(2000)) * time.Second)
		}
		switch rnd.IntN(10) {
		case 0: // a tombstone
		case 1:
			r.Value = []byte(`{"note":null}`)
		default:
			r.Value = fmt.Appendf(nil, `{"status":"s%d","note":"n%d"}`, first+i, first+i)
		}
		out[i] = r
	}
	return out
}

// foldWindow says what the rows must hold: the records of the window below the offsets given have their status in capitals.
func (w *world) foldWindow(records []*kgo.Record, from, to time.Time, until map[int32]int64) truth {
	want := truth{}
	for _, rec := range records {
		r := want.row(w.name+"_rows", string(rec.Key))
		r.mark(w.sink(), "", rec)
		if rec.Value == nil {
			clear(r.puts)
			continue
		}
		c := want.row(w.name+"_counts", fmt.Sprint(rec.Partition))
		c.mark(w.sink(), "", rec)
		c.counters["c:n"]++
		var id int
		if _, err := fmt.Sscanf(string(rec.Value), `{"status":"s%d"`, &id); err != nil {
			delete(r.puts, "d:note")
			continue
		}
		r.puts["d:status"], r.puts["d:note"] = fmt.Sprintf("s%d", id), fmt.Sprintf("n%d", id)
		if !rec.Timestamp.Before(from) && rec.Timestamp.Before(to) && rec.Offset < until[rec.Partition] {
			r.puts["d:status"] = fmt.Sprintf("S%d", id)
		}
	}
	return want
}

// TestReprocessBesideTheConnector writes a window anew while the connector runs on, is killed twice, and finishes; the
// connector, its counters, marks and checkpoints are not touched, and in the end nothing of the run is left.
func TestReprocessBesideTheConnector(t *testing.T) {
	w := newWorld(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	topic, live := w.topic("in", 2, nil), w.config(windowRows+windowCounts)
	mended := w.config(strings.Replace(windowRows, `to: "d:status"`, `to: "d:status", upper: true`, 1))
	w.init(live)
	const records = 30_000
	begin := time.Now().Add(-records * time.Second).Truncate(time.Second)
	w.produce(windowRecords(rnd, topic, begin, records, 0)...)
	p := w.start(live)
	w.caughtUp(live, 2)
	epochs := map[int32]int64{}
	for _, pos := range w.positions(live) {
		epochs[pos.Partition] = pos.Epoch
	}

	from, to := begin.Add(records/10*time.Second), begin.Add(records*8/10*time.Second)
	window := []string{"run", "-c", mended, "--reprocess", from.UTC().Format(time.RFC3339) + "/" + to.UTC().Format(time.RFC3339), "--reprocess-id", "fix"}
	slow := append(window, "--set=flow.max_records_per_second=5000") // about six seconds
	until := map[int32]int64{}
	for i := range 2 {
		r := command(t, nil, slow...)
		r.says("partition taken", 2)
		if i == 0 {
			until = w.boundsOf(mended)
			w.produce(windowRecords(rnd, topic, begin.Add(records*time.Second), 500, records)...)
		}
		time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond) // anywhere in the run
		r.kill()
	}
	command(t, nil, window...).ends(0, "run fix of", "is done")
	command(t, nil, window...).ends(0, "there is nothing to do")
	w.caughtUp(live, 2)
	for _, pos := range w.positions(live) {
		if pos.Epoch != epochs[pos.Partition] {
			t.Errorf("partition %d was taken from the connector: epoch %d, was %d", pos.Partition, pos.Epoch, epochs[pos.Partition])
		}
	}
	command(t, nil, "reprocess", "list", "-c", mended).ends(0, "fix", "done")
	command(t, nil, "reprocess", "clean", "fix", "--marks", "--yes", "-c", mended).ends(0, "run fix is removed")
	p.signal(syscall.SIGTERM)
	p.ends(0)
	w.verify(w.foldWindow(w.committed(topic), from, to, until))
	for _, c := range w.cells(checkpointTable) {
		if strings.Contains(c.Row, w.sink()+"~") {
			t.Errorf("row %s of the checkpoint table is left", c.Row)
		}
	}
}

// boundsOf gives where the records of a run's window end, by partition.
func (w *world) boundsOf(config string) map[int32]int64 {
	w.t.Helper()
	p := command(w.t, nil, "reprocess", "list", "-o", "json", "--log-level", "error", "-c", config)
	p.ends(0)
	var runs []struct {
		Parts []struct {
			Partition int32
			Until     int64
		}
	}
	if err := json.Unmarshal([]byte(p.output()), &runs); err != nil || len(runs) != 1 {
		w.t.Fatalf("reading what reprocess list says, of %d runs: %v", len(runs), err)
	}
	out := map[int32]int64{}
	for _, part := range runs[0].Parts {
		out[part.Partition] = part.Until
	}
	return out
}
