package connector

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/connector/deadletter"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"
	"rowmark/rowkey"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const letterConfig = `sink: s
kafka: {brokers: ["%s"]}
hbase: {zookeeper: ["%s"], max_cell_bytes: 20000}
checkpoint: {interval: 100ms, lease: 1s}
dead_letters: {table: letters, topic: dead}
delivery: %s
tables:
  - topics: [t]
    table: t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.a, to: "d:a"}]
    on_error: dead-letter
`

const lettersTable = "letters"

// lettered is a topic whose records become rows or letters, and a topic of letters whose broker and table may fail.
type lettered struct {
	running
	broker atomic.Pointer[func(batch []byte) *kerr.Error] // what the broker says of a batch of letters
	table  atomic.Pointer[hbasetest.Fault]                // what befalls the writes of letters
	asked  atomic.Int64                                   // requests to write letters to the topic
	denied atomic.Int64                                   // writes to the table that met the fault
}

func newLettered(t *testing.T, delivery string, recs ...*kgo.Record) *lettered {
	t.Helper()
	w := &lettered{}
	w.start(t, func(f hbasetest.FrameInfo) hbasetest.Fault {
		if fault := w.table.Load(); fault != nil && f.Write && f.Table == lettersTable {
			w.denied.Add(1)
			return *fault
		}
		return hbasetest.Fault{}
	}, "t", "dead")
	w.produce(t, recs...)
	w.kafka.ControlKey(int16(kmsg.Produce), w.answer)
	w.configure(t, letterConfig, delivery)
	return w
}

func (w *lettered) answer(kreq kmsg.Request) (kmsg.Response, error, bool) {
	w.kafka.KeepControl()
	req := kreq.(*kmsg.ProduceRequest)
	w.asked.Add(1)
	broker := w.broker.Load()
	if broker == nil {
		return nil, nil, false
	}
	refusal := (*broker)(req.Topics[0].Partitions[0].Records)
	if refusal == nil {
		return nil, nil, false
	}
	resp := req.ResponseKind().(*kmsg.ProduceResponse)
	topic, part := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
	topic.Topic, part.Partition, part.ErrorCode = req.Topics[0].Topic, req.Topics[0].Partitions[0].Partition, refusal.Code
	topic.Partitions = append(topic.Partitions, part)
	resp.Topics = append(resp.Topics, topic)
	return resp, nil, true
}

func (w *lettered) refuse(f func(batch []byte) *kerr.Error) { w.broker.Store(&f) }

func always(err *kerr.Error) func([]byte) *kerr.Error { return func([]byte) *kerr.Error { return err } }

// dead gives what is in the topic of letters, by what letter it is.
func (w *lettered) dead(t *testing.T) map[string][]*kgo.Record {
	t.Helper()
	client := w.client(t, kgo.ConsumeTopics("dead"))
	ends, err := kadm.NewClient(client).ListEndOffsets(t.Context(), "dead")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]*kgo.Record{}
	for left := ends["dead"][0].Offset; left > 0; {
		fetches := client.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		for _, r := range fetches.Records() {
			out[header(r, "rowmark.letter")] = append(out[header(r, "rowmark.letter")], r)
			left--
		}
	}
	return out
}

// header gives the last header of a name.
func header(r *kgo.Record, name string) string {
	for _, h := range slices.Backward(r.Headers) {
		if h.Key == name {
			return string(h.Value)
		}
	}
	return ""
}

func (w *lettered) letter(t *testing.T, offset int64) *deadletter.Letter {
	t.Helper()
	table := deadletter.Table{Client: w.hbase(t), Name: lettersTable, Sink: "s"}
	l, err := table.Read(t.Context(), deadletter.Key{Sink: "s", Topic: "t", Offset: offset})
	if err != nil || l == nil {
		t.Fatalf("offset %d has no letter in the table (%v)", offset, err)
	}
	return l
}

func record(key, value string) *kgo.Record {
	return &kgo.Record{Key: []byte(key), Value: []byte(value), Timestamp: time.UnixMilli(1764400000000)}
}

// A letter in the topic is the record as it was, and headers that say the same as the letter in the table.
func TestTheTopicHasEachLetter(t *testing.T) {
	for _, delivery := range []string{"exactly-once", "at-least-once"} {
		t.Run(delivery, func(t *testing.T) {
			undecodable, unmapped := record("b", "{"), &kgo.Record{Value: []byte(`{"a":1}`), Timestamp: time.UnixMilli(1764400000001)}
			undecodable.Headers = []kgo.RecordHeader{{Key: "h", Value: []byte{0, 255}}, {Key: "null"}, {Key: "", Value: []byte{}}, {Key: "rowmark.topic", Value: []byte("earlier")}}
			null := &kgo.Record{Value: []byte{}, Timestamp: time.UnixMilli(0)}
			refused := record("d", fmt.Sprintf(`{"a":"%030000d"}`, 0))
			w := newLettered(t, delivery, record("a", `{"a":1}`), undecodable, unmapped, null, refused)
			if err := <-w.run(t, t.Context()); err != nil {
				t.Fatal(err)
			}
			dead := w.dead(t)
			if rows := w.rows(t, "t"); delivery == "at-least-once" && !slices.Equal(rows, []string{"a"}) || len(dead) != 4 {
				t.Errorf("rows %v, %d letters", rows, len(dead))
			}
			for i, want := range []*kgo.Record{undecodable, unmapped, null, refused} {
				offset := int64(i + 1)
				got := dead[fmt.Sprintf("t/0/%d", offset)]
				if len(got) != 1 {
					t.Errorf("offset %d is there %d times", offset, len(got))
					continue
				}
				l := w.letter(t, offset)
				headers := slices.Clone(want.Headers)
				for _, h := range [][2]string{
					{"letter", fmt.Sprintf("t/0/%d", offset)},
					{"sink", "s"},
					{"topic", "t"},
					{"partition", "0"},
					{"offset", strconv.FormatInt(offset, 10)},
					{"timestamp", strconv.FormatInt(want.Timestamp.UnixMilli(), 10)},
					{"stage", []string{"decode", "map", "decode", "write"}[i]},
					{"reason", l.Reason},
					{"table", "default:t"},
					{"mapping", w.opts.Mappings.Hash()},
				} {
					headers = append(headers, kgo.RecordHeader{Key: "rowmark." + h[0], Value: []byte(h[1])})
				}
				if l.Reason == "" || !slices.EqualFunc(got[0].Headers, headers, sameHeader) {
					t.Errorf("offset %d: headers %+v, want %+v", offset, got[0].Headers, headers)
				}
				if !same(got[0].Key, want.Key) || !same(got[0].Value, want.Value) || !got[0].Timestamp.Equal(want.Timestamp) {
					t.Errorf("offset %d: got %+v, want %+v", offset, got[0], want)
				}
			}
		})
	}
}

func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

func sameHeader(a, b kgo.RecordHeader) bool { return a.Key == b.Key && same(a.Value, b.Value) }

// While the topic takes no letters their rows wait, and so does the checkpoint; records of other rows go on.
func TestLettersWaitForTheirTopic(t *testing.T) {
	w := newLettered(t, "exactly-once", record("a", "{"), record("b", `{"a":1}`), record("a", `{"a":2}`))
	w.opts.CallTimeout = 200 * time.Millisecond
	w.refuse(always(kerr.NotEnoughReplicas))
	done := w.run(t, t.Context())
	until(t, "the other row is written", func() bool { return len(w.rows(t, "t")) == 2 })
	asked := w.asked.Load()
	until(t, "it was tried again", func() bool { return w.asked.Load() > asked+3 })
	if rows := w.rows(t, lettersTable); len(rows) != 0 {
		t.Errorf("the table has the letter before the topic")
	}
	store := &Store{Client: w.hbase(t), Table: w.opts.CheckpointTable, Sink: "s"}
	if ck, err := store.Read(t.Context(), kafka.TopicPartition{Topic: "t"}); err != nil || ck == nil || ck.Offset != 0 {
		t.Errorf("the checkpoint passed: %+v, %v", ck, err)
	}
	w.broker.Store(nil)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if dead := w.dead(t); len(dead) != 1 || len(dead["t/0/0"]) != 1 || len(w.rows(t, lettersTable)) != 1 {
		t.Errorf("letters %v", dead)
	}
	for _, text := range []string{"topic dead (dead_letters.topic)", "Replicas", "user of kafka.sasl may write"} {
		if !strings.Contains(w.log.String(), text) {
			t.Errorf("the log does not say %q", text)
		}
	}
}

// While the table takes no letters the topic gets each once; a process that is killed there leaves it to the next one,
// which sends it again.
func TestKillBetweenTopicAndTable(t *testing.T) {
	w := newLettered(t, "exactly-once", record("a", "{"), record("b", "{"))
	w.refuse(func([]byte) *kerr.Error { // the table is away from the first letter on
		w.table.Store(&hbasetest.Fault{Kind: hbasetest.Throw, Class: "org.apache.hadoop.hbase.CallQueueTooBigException"})
		return nil
	})
	w.opts.ShutdownTimeout = time.Millisecond
	ctx, kill := context.WithCancel(t.Context())
	done := w.run(t, ctx)
	until(t, "it was tried again", func() bool { return w.denied.Load() > 3 })
	kill()
	if err := <-done; !errors.Is(err, ErrShutdown) {
		t.Fatalf("it ended with %v", err)
	}
	if dead := w.dead(t); len(dead["t/0/0"]) != 1 || len(dead["t/0/1"]) != 1 || len(w.rows(t, lettersTable)) != 0 {
		t.Fatalf("before the kill the topic has %v", dead)
	}
	w.broker.Store(nil)
	w.table.Store(nil)
	if err := <-w.run(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if dead := w.dead(t); len(dead["t/0/0"]) != 2 || len(dead["t/0/1"]) != 2 {
		t.Errorf("after it the topic has %v", dead)
	}
	w.letter(t, 0)
	w.letter(t, 1)
}

// A stop ends in time while the topic is away, and the letters come with the next start.
func TestAStopDoesNotWaitForTheTopic(t *testing.T) {
	w := newLettered(t, "exactly-once", record("a", "{"))
	w.opts.ShutdownTimeout = 300 * time.Millisecond
	w.refuse(always(kerr.NotEnoughReplicas))
	ctx, stop := context.WithCancel(t.Context())
	done := w.run(t, ctx)
	until(t, "it was asked", func() bool { return w.asked.Load() > 0 })
	at := time.Now()
	stop()
	if err := <-done; !errors.Is(err, ErrShutdown) {
		t.Errorf("it ended with %v", err)
	}
	if took := time.Since(at); took > 10*time.Second {
		t.Errorf("the stop took %s", took)
	}
	w.broker.Store(nil)
	w.opts.ShutdownTimeout = time.Minute
	if err := <-w.run(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if dead := w.dead(t); len(dead["t/0/0"]) == 0 {
		t.Error("the letter is missing")
	}
}

// What a topic refuses of a letter is left out, with its size and hash, and the table has it all the same.
func TestTheTopicTakesWhatItCan(t *testing.T) {
	const most, large = 4000, 5000
	content := bytes.Repeat([]byte("x"), large)
	headers := []kgo.RecordHeader{{Key: "h", Value: content}}
	recs := []*kgo.Record{
		record("small", "{"),
		{Key: []byte("value"), Value: content, Headers: []kgo.RecordHeader{{Key: "h", Value: []byte("v")}}},
		{Key: []byte("headers"), Value: content, Headers: headers},
		{Key: content, Value: []byte("{"), Headers: headers},
	}
	w := newLettered(t, "exactly-once", recs...)
	w.refuse(func(batch []byte) *kerr.Error {
		if len(batch) > most {
			return kerr.MessageTooLarge
		}
		return nil
	})
	if err := <-w.run(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	dead := w.dead(t)
	marshalled := `[{"Key":"h","Value":"` + strings.Repeat("eHh4", large/3) + `eHg="}]`
	for i, left := range []map[string]string{
		{},
		{"value": string(content)},
		{"value": string(content), "headers": marshalled},
		{"value": "{", "headers": marshalled, "key": string(content)},
	} {
		got := dead[fmt.Sprintf("t/0/%d", i)]
		if len(got) != 1 {
			t.Fatalf("letter %d is there %d times", i, len(got))
		}
		for part, has := range map[string][]byte{"key": got[0].Key, "value": got[0].Value, "headers": nil} {
			size, hash := "", ""
			if text, ok := left[part]; ok {
				sum := sha256.Sum256([]byte(text))
				size, hash = strconv.Itoa(len(text)), hex.EncodeToString(sum[:])
				if has != nil {
					t.Errorf("letter %d still has its %s", i, part)
				}
			}
			if header(got[0], "rowmark."+part+".size") != size || header(got[0], "rowmark."+part+".sha256") != hash {
				t.Errorf("letter %d: the headers of its %s are %+v", i, part, got[0].Headers)
			}
		}
		if l := w.letter(t, int64(i)); len(l.Missing) > 0 || !bytes.Equal(l.Record.Key, recs[i].Key) || !bytes.Equal(l.Record.Value, recs[i].Value) {
			t.Errorf("letter %d in the table: %+v", i, l)
		}
	}
}

// Brokers refuse times that are far ahead, which may be why a record is a letter.
func TestTheTopicTakesLettersOfAnyTime(t *testing.T) {
	future := record("a", "{")
	future.Timestamp = time.UnixMilli(7_000_000_000_000)
	w := newLettered(t, "exactly-once", record("b", "{"), future)
	w.refuse(func(batch []byte) *kerr.Error {
		if newest := int64(binary.BigEndian.Uint64(batch[35:])); newest > time.Now().Add(time.Hour).UnixMilli() {
			return kerr.InvalidTimestamp
		}
		return nil
	})
	if err := <-w.run(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	dead := w.dead(t)
	if got := dead["t/0/0"]; len(got) != 1 || got[0].Timestamp.UnixMilli() != 1764400000000 {
		t.Errorf("the one with a good time: %+v", got)
	}
	if got := dead["t/0/1"]; len(got) != 1 || time.Since(got[0].Timestamp) > time.Minute || header(got[0], "rowmark.timestamp") != "7000000000000" {
		t.Errorf("the one of the future: %+v", got)
	}
}

// A topic that can't take letters is told of at the start.
func TestTheTopicOfLettersIsLookedAt(t *testing.T) {
	w := newLettered(t, "exactly-once")
	compact := "compact"
	if _, err := kadm.NewClient(w.client(t)).CreateTopic(t.Context(), 1, 1, map[string]*string{"cleanup.policy": &compact}, "compacted"); err != nil {
		t.Fatal(err)
	}
	for topic, says := range map[string]string{"none": "create it", "compacted": "cleanup.policy"} {
		w.opts.LetterTopic = topic
		_, err := New(t.Context(), w.opts)
		if ExitCode(err) != ExitTopic || !strings.Contains(err.Error(), topic) || !strings.Contains(err.Error(), says) {
			t.Errorf("topic %s: %v, exit code %d", topic, err, ExitCode(err))
		}
	}
}

// A mapping of before, which a changed configuration finishes first, may have had its letters in another table.
func TestStoredMappingsWriteLettersToo(t *testing.T) {
	set := func(letters, policy string) *mapping.Set {
		s, problems := mapping.Compile([]mapping.Spec{{
			Topics: []string{"t"}, Table: "t", RowKey: rowkey.Spec{{Field: "key"}}, OnTombstone: "ignore", OnError: policy,
			Columns: []mapping.Column{{Field: "value", To: "d:v"}},
		}}, mapping.Options{Letters: letters})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return s
	}
	for _, c := range []struct {
		topic, table string
		want         bool
	}{
		{"dead", "default:t", false}, {"dead", "default:now", true}, {"dead", "default:before", true}, {"", "default:now", false},
	} {
		e := &Engine{opts: Options{LetterTopic: c.topic}, maps: mappings{current: set("now", "dead-letter")}}
		for _, stored := range []*mapping.Set{set("before", "dead-letter"), set("unused", "fail")} {
			if _, err := e.maps.of(stored.Canonical()); err != nil {
				t.Fatal(err)
			}
		}
		if got := e.writesLetters(c.table); got != c.want {
			t.Errorf("%+v: got %t", c, got)
		}
	}
}

// What is remembered of letters ends with their rows, and is bounded.
func TestSentLettersAreForgotten(t *testing.T) {
	var s sentLetters
	for res, kept := range map[hbase.WriteResult]bool{
		{Outcome: hbase.Applied}: false, {Outcome: hbase.Refused}: false,
		{Outcome: hbase.Refused, Err: errors.New("busy")}: true, {Outcome: hbase.Unknown, Err: errors.New("lost")}: true,
	} {
		s.add([]byte("row"))
		if s.settle([]byte("row"), res); s.has([]byte("row")) != kept {
			t.Errorf("after %+v: %t", res, !kept)
		}
	}
	for i := range 3 * sentMost {
		s.add(strconv.AppendInt(nil, int64(i), 10))
	}
	if len(s.rows) > sentMost {
		t.Errorf("%d letters are remembered", len(s.rows))
	}
}
