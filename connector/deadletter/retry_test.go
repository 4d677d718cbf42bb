package deadletter

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/rowkey"
)

// bench is a cluster with a table of letters and one of data.
type bench struct {
	t       *testing.T
	cluster *hbasetest.Cluster
	set     *mapping.Set
}

func newBench(t *testing.T, faults func(hbasetest.FrameInfo) hbasetest.Fault) *bench {
	t.Helper()
	cluster, err := hbasetest.Start(hbasetest.Options{Servers: 2, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Close() })
	b := &bench{t: t, cluster: cluster}
	c := b.client(0)
	marks := hbase.FamilySchema{Name: "_k", Attributes: hbase.FamilySettings{Versions: 1, MinVersions: 1, NewVersionBehavior: true}.Attributes()}
	for name, family := range map[string]string{"letters": "d", "data": "c"} {
		schema := hbase.TableSchema{Name: name, Families: []hbase.FamilySchema{{Name: family, Attributes: hbase.FamilySettings{Versions: 1}.Attributes()}, marks}}
		if err := c.Admin().CreateTable(t.Context(), schema); err != nil {
			t.Fatal(err)
		}
	}
	b.set = b.compile("value.n")
	return b
}

func (b *bench) client(maxCell int) *hbase.Client {
	b.t.Helper()
	cfg := b.cluster.Config()
	cfg.MaxCellBytes, cfg.RPCTimeout = maxCell, 300*time.Millisecond
	c, err := hbase.Open(b.t.Context(), cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	return c
}

// compile gives a mapping that counts n, and puts a copy of it, in a row per key.
func (b *bench) compile(n string) *mapping.Set {
	b.t.Helper()
	set, problems := mapping.Compile([]mapping.Spec{{
		Topics: []string{"t"}, Table: "data", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
		RowKey:      rowkey.Spec{{Field: "key"}},
		Columns:     []mapping.Column{{Field: n, To: "c:n", Op: "increment"}},
		OnTombstone: "ignore", OnError: "dead-letter",
	}, {
		Topics: []string{"t"}, Table: "data", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
		RowKey:      rowkey.Spec{{Literal: "copy-"}, {Field: "key"}},
		Columns:     []mapping.Column{{Field: "value.text", To: "c:text", Op: "append"}},
		OnTombstone: "ignore", OnError: "dead-letter",
	}}, mapping.Options{Letters: "letters"})
	if problems != nil {
		b.t.Fatal(problems)
	}
	return set
}

// letter writes the letter of a record, as the engine would.
func (b *bench) letter(rec decode.Record, refused ...mapping.RefusedRow) Key {
	b.t.Helper()
	raw := Raw{Source: &Source{Table: "letters", Key: Key{Sink: "s", Topic: "t", Partition: rec.Partition}, MaxCell: 1 << 20}, Record: rec, Rows: b.set.Map(rec).Rows}
	ops := raw.Unmapped(&mapping.Failure{Decoded: true, Err: errors.New("field n is missing")})
	if refused != nil {
		ops = raw.Unwritten(refused)
	}
	muts, err := core.Fold([]mapping.RowOps{ops})
	if err != nil {
		b.t.Fatal(err)
	}
	if res := b.client(0).WriteRow(b.t.Context(), "letters", hbase.RowWrite{Row: ops.Row, Mutations: muts}); res.Outcome != hbase.Applied {
		b.t.Fatal(res.Err)
	}
	key := raw.Source.Key
	key.Offset = rec.Offset
	return key
}

func record(offset int64, key, value string) decode.Record {
	return decode.Record{Topic: "t", Offset: offset, Timestamp: 1_000_000 + offset, Key: []byte(key), Value: []byte(value)}
}

func (b *bench) retry(c *hbase.Client, told func(Key, error)) *Retry {
	if told == nil {
		told = func(Key, error) {}
	}
	return &Retry{Table: &Table{Client: c, Name: "letters", Sink: "s"}, Mappings: b.set, MarkFamily: "_k", Told: told}
}

// cell gives a cell of the data table, nil if there is none.
func (b *bench) cell(row, qualifier string) []byte {
	b.t.Helper()
	got, err := b.client(0).Get(b.t.Context(), "data", hbase.Get{Row: []byte(row), Columns: []hbase.Column{{Family: []byte("c"), Qualifier: []byte(qualifier)}}})
	if err != nil {
		b.t.Fatal(err)
	}
	if len(got.Cells) == 0 {
		return nil
	}
	return got.Cells[0].Value
}

func (b *bench) count(row string) int64 {
	b.t.Helper()
	v := b.cell(row, "n")
	if v == nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(v))
}

// Letters of increments, retried under faults of every kind, by retries that are cut off, and by several at once: each
// counts once.
func TestRetryCountsOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	plan := &hbasetest.Plan{Seed: seed, Rates: hbasetest.Even(0.1), Delay: 30 * time.Millisecond, Only: func(f hbasetest.FrameInfo) bool {
		return f.Write && (f.Table == "letters" || f.Table == "data")
	}}
	plan.Rates[hbasetest.HalfOpen] = 0.002
	active := make(chan struct{})
	b := newBench(t, func(f hbasetest.FrameInfo) hbasetest.Fault {
		select {
		case <-active:
			return plan.Fault(f)
		default:
			return hbasetest.Fault{}
		}
	})
	const letters, rows = 130, 7
	var keys []Key
	want := map[string]int64{}
	text := map[string]int{}
	for i := range int64(letters) {
		row := fmt.Sprintf("r%d", i%rows)
		weight := int64(rand.Uint64() >> 1)
		keys = append(keys, b.letter(record(i, row, fmt.Sprintf(`{"n":%d,"text":"<%d>"}`, weight, i))))
		want[row] += weight
		text[row]++
	}
	close(active)
	clients := []*hbase.Client{b.client(0), b.client(0), b.client(0)}
	for round := range 12 {
		var wg sync.WaitGroup
		for i := range 1 + round%3 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(20+rand.IntN(200))*time.Millisecond)
				defer cancel()
				_ = b.retry(clients[i], nil).Run(ctx, keys[rand.IntN(len(keys)/2):]) // it is cut off, or taken over
			})
		}
		wg.Wait()
	}
	plan.Heal()
	if err := b.retry(b.client(0), nil).Run(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	for row, n := range want {
		if got := b.count(row); got != n {
			t.Errorf("row %s counts %d, want %d", row, got, n)
		}
		if got := strings.Count(string(b.cell("copy-"+row, "text")), "<"); got != text[row] {
			t.Errorf("row copy-%s holds %d texts, want %d", row, got, text[row])
		}
	}
	left, err := b.retry(b.client(0), nil).Table.List(t.Context(), Filter{Partition: -1, To: 1000})
	if err != nil || len(left) != 0 {
		t.Errorf("%d letters stand after all were retried, %v", len(left), err)
	}
}

// A letter that fails again stays, with the new reason; its rows that are done are not written again.
func TestLetterThatFailsAgain(t *testing.T) {
	b := newBench(t, nil)
	large := strings.Repeat("x", 5000)
	both := b.letter(record(1, "a", `{"n":3,"text":"`+large+`"}`))
	unmapped := b.letter(record(2, "b", `{"n":"x"}`))
	one := b.letter(record(3, "c", `{"n":4,"text":"y"}`), mapping.RefusedRow{Table: "default:data", Row: []byte("copy-c"), Why: errors.New("no")})
	told := map[Key]string{}
	note := func(k Key, err error) { told[k] = fmt.Sprint(err) }
	if err := b.retry(b.client(2000), note).Run(t.Context(), []Key{both, unmapped, one}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told[both], "over the limit") || !strings.Contains(told[unmapped], "value.n") || told[one] != "<nil>" {
		t.Fatalf("told %q", told)
	}
	if b.count("a") != 3 || b.count("c") != 0 || string(b.cell("copy-c", "text")) != "y" {
		t.Fatalf("a counts %d, c counts %d, copy-c holds %q", b.count("a"), b.count("c"), b.cell("copy-c", "text"))
	}
	table := b.retry(b.client(0), nil).Table
	list, err := table.List(t.Context(), Filter{Topic: "t", To: 1000})
	if err != nil || len(list) != 2 || list[0].State() != "failed again" || !strings.Contains(list[0].Why(), "over the limit") {
		t.Fatalf("%d letters: %+v, %v", len(list), list, err)
	}
	if all, err := table.List(t.Context(), Filter{Topic: "t", To: 1000, Resolved: true}); err != nil || len(all) != 3 || all[2].State() != "resolved" {
		t.Fatalf("%d letters with the resolved, %v", len(all), err)
	}
	// Larger cells are allowed now. What is done stays as it is.
	r := b.retry(b.client(0), note)
	r.Delete = true
	if err := r.Run(t.Context(), []Key{both, unmapped, one}); err != nil {
		t.Fatal(err)
	}
	if told[both] != "<nil>" || told[one] != ErrNoLetter.Error() {
		t.Fatalf("told %q", told)
	}
	if b.count("a") != 3 || string(b.cell("copy-a", "text")) != large {
		t.Fatalf("a counts %d", b.count("a"))
	}
	if l, err := table.Read(t.Context(), both); l != nil || err != nil {
		t.Fatalf("the deleted letter is %+v, %v", l, err)
	}
	row, err := table.Client.Get(t.Context(), "letters", hbase.Get{Row: both.Row()})
	if err != nil || !slices.ContainsFunc(row.Cells, func(c hbase.Cell) bool { return string(c.Family) == "_k" }) {
		t.Fatalf("the deleted letter left %d cells, and no mark, %v", len(row.Cells), err)
	}
}

// A retry that was cut off is finished by the mapping it was begun with.
func TestRetryIsFinishedByItsOwnMapping(t *testing.T) {
	b := newBench(t, nil)
	key := b.letter(record(1, "a", `{"n":3,"m":50,"text":"x"}`))
	first := b.retry(b.client(0), nil)
	b.begin(first, key)
	rows, _, err := first.rows(t.Context(), b.set, &Letter{Key: key, Record: record(1, "a", `{"n":3,"m":50,"text":"x"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if why, err := first.write(t.Context(), rows[1], key, first.job.Next); why != nil || err != nil {
		t.Fatal(why, err)
	}
	b.set = b.compile("value.m")
	if err := b.retry(b.client(0), nil).Run(t.Context(), []Key{key}); err != nil {
		t.Fatal(err)
	}
	if b.count("a") != 3 || string(b.cell("copy-a", "text")) != "x" {
		t.Errorf("a counts %d, copy-a holds %q", b.count("a"), b.cell("copy-a", "text"))
	}
	// The one that was cut off wakes, and writes nothing more.
	if err := first.work(t.Context(), b.set); !errors.Is(err, ErrTakenOver) {
		t.Errorf("the first retry ends with %v", err)
	}
	if b.count("a") != 3 || string(b.cell("copy-a", "text")) != "x" {
		t.Errorf("after that a counts %d, copy-a holds %q", b.count("a"), b.cell("copy-a", "text"))
	}
}

// A table of letters that was restored knows less than the rows: that is no reason to take letters for written.
func TestOlderTableOfLettersStops(t *testing.T) {
	b := newBench(t, nil)
	first, second := b.letter(record(1, "a", `{"n":1}`)), b.letter(record(2, "a", `{"n":1}`))
	c := b.client(0)
	r := b.retry(c, nil)
	if err := r.Run(t.Context(), []Key{first}); err != nil {
		t.Fatal(err)
	}
	job := r.job
	job.Next = 1
	if _, err := r.Table.swapJob(t.Context(), r.cell, job, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.retry(c, nil).Run(t.Context(), []Key{second}); err == nil || !strings.Contains(err.Error(), "restored") {
		t.Errorf("got %v", err)
	}
	if b.count("a") != 1 {
		t.Errorf("a counts %d", b.count("a"))
	}
}

// Two sinks that share a table of letters have retries of their own: neither finishes the other's under its own marks.
func TestSinksRetryBesideEachOther(t *testing.T) {
	b := newBench(t, nil)
	key := b.letter(record(1, "a", `{"n":3}`))
	c := b.client(0)
	b.begin(b.retry(c, nil), key)
	other := b.retry(c, nil)
	other.Table.Sink = "other"
	if err := other.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n := b.count("a"); n != 0 {
		t.Fatalf("another sink counts %d", n)
	}
	if err := b.retry(c, nil).Run(t.Context(), nil); err != nil || b.count("a") != 3 {
		t.Fatalf("a counts %d, %v", b.count("a"), err)
	}
}

// begin writes down a job of these letters, as a retry does that is then cut off.
func (b *bench) begin(r *Retry, keys ...Key) {
	b.t.Helper()
	var err error
	if r.job, r.cell, _, err = r.Table.readJob(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	for _, k := range keys {
		r.job.Letters = append(r.job.Letters, k.Row())
	}
	r.job.Owner = randomID()
	if err := r.swap(b.t.Context(), b.set.Canonical()); err != nil {
		b.t.Fatal(err)
	}
}

// A retry that was cut off has barred a row, or has closed a letter and gone on with the next one on the same row: the
// one that finishes it takes neither letter for written.
func TestFinishingMeetsWhatFailed(t *testing.T) {
	for _, closed := range []bool{false, true} {
		b := newBench(t, nil)
		large := strings.Repeat("x", 5000)
		first, second := b.letter(record(1, "a", `{"n":3,"text":"`+large+`"}`)), b.letter(record(2, "a", `{"n":40,"text":"y"}`))
		cut := b.retry(b.client(2000), nil)
		b.begin(cut, first, second)
		l, err := cut.Table.Read(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		rows, _, _ := cut.rows(t.Context(), b.set, l)
		if closed {
			if err := cut.letter(t.Context(), b.set, first, cut.job.Next); err != nil {
				t.Fatal(err)
			}
			if l, err = cut.Table.Read(t.Context(), second); err != nil {
				t.Fatal(err)
			}
			rows, _, _ = cut.rows(t.Context(), b.set, l)
			if why, err := cut.write(t.Context(), rows[1], second, cut.job.Next+1); why != nil || err != nil {
				t.Fatal(why, err)
			}
			if _, err := cut.write(t.Context(), rows[1], first, cut.job.Next); !errors.Is(err, errPassed) {
				t.Fatalf("the row says %v of a letter that it is past", err)
			}
		} else if why, err := cut.write(t.Context(), rows[1], first, cut.job.Next); why == nil || err != nil {
			t.Fatalf("the large row is not barred: %v, %v", why, err)
		}
		told := map[Key]string{}
		finish := b.retry(b.client(0), func(k Key, err error) { told[k] = fmt.Sprint(err) })
		if err := finish.Run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(told[first], "over the limit") || told[second] != "<nil>" {
			t.Fatalf("closed %t: told %q", closed, told)
		}
		if b.count("a") != 43 || string(b.cell("copy-a", "text")) != "y" {
			t.Fatalf("closed %t: a counts %d, copy-a holds %.10q", closed, b.count("a"), b.cell("copy-a", "text"))
		}
		// Under a number of its own the first is written after all.
		if err := finish.Run(t.Context(), []Key{first, second}); err != nil {
			t.Fatal(err)
		}
		if told[first] != "<nil>" || b.count("a") != 43 || string(b.cell("copy-a", "text")) != "y"+large {
			t.Fatalf("closed %t: told %q, a counts %d", closed, told[first], b.count("a"))
		}
	}
}
