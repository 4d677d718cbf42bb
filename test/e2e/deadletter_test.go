package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// letterTables maps records to two rows, and writes those that fail to dead letters. FIELD is what is counted.
const letterTables = `
  - topics: [$NAME_in]
    table: $NAME_t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: FIELD, to: "c:n", op: increment}
      - {field: value.v, to: "d:v"}
    on_tombstone: ignore
    on_error: dead-letter
  - topics: [$NAME_in]
    table: $NAME_all
    key: {format: string}
    value: {format: json}
    row_key: [{field: value.g}]
    columns:
      - {field: FIELD, to: "c:n", op: increment}
    on_tombstone: ignore
    on_error: dead-letter
dead_letters:
  table: $NAME_letters
  topic: $NAME_dead
`

// letter is what dead-letters list and show say of one.
type letter struct {
	Letter, Stage, Table, State, Reason string
	Offset                              int64
	Value                               []byte
}

// letters runs rowmark dead-letters list.
func (w *world) letters(config string, args ...string) []letter {
	w.t.Helper()
	p := command(w.t, nil, append([]string{"dead-letters", "list", "-o", "json", "--log-level", "error", "-c", config}, args...)...)
	p.ends(0)
	var out []letter
	if err := json.Unmarshal([]byte(p.output()), &out); err != nil {
		w.t.Fatalf("reading what dead-letters list says: %v", err)
	}
	return out
}

// toldOf gives the stages of the letters that a topic of dead letters holds, each once or more often.
func (w *world) toldOf(topic string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, r := range w.committed(topic) {
		said := map[string]string{}
		for _, h := range r.Headers {
			said[h.Key] = string(h.Value)
		}
		name, stage := said["rowmark.letter"], said["rowmark.stage"]
		if before, twice := out[name]; twice && before != stage {
			w.t.Errorf("letter %s is told of as one of stage %s and of stage %s", name, before, stage)
		}
		if said["rowmark.reason"] == "" || r.Key == nil || r.Value == nil {
			w.t.Errorf("letter %s comes without its reason, key or value", name)
		}
		out[name] = stage
	}
	return out
}

// TestDeadLetters kills the connector while records flow of which some can't be read, some can't be mapped, some are
// refused by HBase and one is larger than a cell may be; then the mapping and the table are mended, and the letters are
// retried, under kills too: every record counts once, or has one letter.
func TestDeadLetters(t *testing.T) {
	w := newWorld(t)
	roomy := map[string]string{"max.message.bytes": "33554432"}
	topic, dead := w.topic("in", 2, roomy), w.topic("dead", 1, roomy)
	config := w.config(strings.ReplaceAll(letterTables, "FIELD", "value.n"))
	w.init(config)
	w.hbase("put", w.name+"_t", hexOf("refused"), "c", hexOf("n"), "-", "010203") // no counter

	rnd := rand.New(rand.NewPCG(1, 9))
	const records = 3000
	sums := map[string]int64{}
	wants := map[string]string{} // stages of letters
	good, fixed := int64(0), int64(0)
	var large string
	for i := range records {
		rec := record(topic, int32(i%2), fmt.Sprintf("k%d", rnd.IntN(40)), "")
		n := int64(rnd.Uint64())
		name := fmt.Sprintf("%s/%d/%d", topic, i%2, i/2)
		value := fmt.Sprintf(`{"g":"all","n":%d,"m":%d,"v":"%d"}`, n, n, i)
		switch {
		case i == records/2:
			value, large = fmt.Sprintf(`{"g":"all","n":%d,"m":%d,"v":"%s"}`, n, n, strings.Repeat("x", 17<<20)), name
			rec.Key, wants[name] = []byte("large"), "write"
			good += n // of the other row
			fixed += n
		case i%71 == 3:
			value, wants[name] = "{", "decode"
		case i%53 == 7:
			value, wants[name] = fmt.Sprintf(`{"g":"all","n":"none","m":%d,"v":"%d"}`, n, i), "map"
			fixed += n
			sums[string(rec.Key)] += n
		case i%61 == 11:
			rec.Key, wants[name] = []byte("refused"), "write"
			good += n
			fixed += n
			sums["refused"] += n
		default:
			good += n
			fixed += n
			sums[string(rec.Key)] += n
		}
		rec.Value = []byte(value)
		if i%500 == 0 {
			w.produce(rec)
			continue
		}
		w.client.Produce(t.Context(), rec, func(_ *kgo.Record, err error) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := w.client.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		p := w.start(config)
		p.says("partition taken", 2)
		time.Sleep(time.Duration(rand.IntN(600)) * time.Millisecond) // any moment will do
		p.kill()
	}
	p := w.once(config)
	if strings.Contains(p.output(), "none") {
		t.Error("the log shows a record's content")
	}

	got := map[string]string{}
	for _, l := range w.letters(config) {
		got[l.Letter] = l.Stage
		if l.State != "open" || l.Reason == "" {
			t.Errorf("letter %+v", l)
		}
	}
	wantLetters(t, got, wants)
	wantLetters(t, w.toldOf(dead), wants)
	if n := long(t, w.cells(w.name+"_all"), "all", "c:n"); n != good {
		t.Errorf("the good records sum up to %d, want %d", n, good)
	}
	if one := w.letters(config, "--topic", topic, "--partition", "0", "--from", "100", "--to", "200"); len(one) == 0 || slices.ContainsFunc(one, func(l letter) bool { return l.Offset < 100 || l.Offset >= 200 }) {
		t.Errorf("a range of offsets gives %+v", one)
	}
	show := command(t, nil, "dead-letters", "show", large, "-o", "json", "--log-level", "error", "-c", config)
	show.ends(0)
	var whole letter
	if err := json.Unmarshal([]byte(show.output()), &whole); err != nil || len(whole.Value) < 17<<20 || !strings.Contains(whole.Reason, "over the limit") {
		t.Errorf("the large record's letter holds %d bytes, %v: %s", len(whole.Value), err, whole.Reason)
	}

	// The counter is mended, and the mapping counts another field.
	w.hbase("put", w.name+"_t", hexOf("refused"), "c", hexOf("n"), "-", "0000000000000000")
	mended := w.config(strings.ReplaceAll(letterTables, "FIELD", "value.m"))
	for range 4 {
		p := command(t, nil, "dead-letters", "retry", "--all", "-c", mended)
		p.says(": written\n", 1+rand.IntN(20))
		p.kill()
	}
	command(t, nil, "dead-letters", "retry", "--all", "-c", mended).ends(4, "could not be written")
	got = map[string]string{}
	for _, l := range w.letters(mended) {
		got[l.Letter] = l.Stage
		if l.State != "failed again" {
			t.Errorf("letter %+v", l)
		}
	}
	for name, stage := range wants {
		if stage != "decode" && name != large {
			delete(wants, name)
		}
	}
	wantLetters(t, got, wants)
	if n := long(t, w.cells(w.name+"_all"), "all", "c:n"); n != fixed {
		t.Errorf("with the letters retried the records sum up to %d, want %d", n, fixed)
	}
	cells := w.cells(w.name + "_t")
	for key, want := range sums {
		if n := long(t, cells, key, "c:n"); n != want {
			t.Errorf("row %s counts %d, want %d", key, n, want)
		}
	}
}

func wantLetters(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, stage := range want {
		if got[name] != stage {
			t.Errorf("letter %s is of stage %q, want %q", name, got[name], stage)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("letter %s should not be", name)
		}
	}
}
