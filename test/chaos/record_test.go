package main

import (
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"time"
)

// TestRecordsSurvive writes records and reads them back.
func TestRecordsSurvive(t *testing.T) {
	for _, e := range []event{
		{offset: 3, id: 7, prev: 5, inc: -9, hot: 3, note: someNote, big: 1000},
		{offset: 4, id: 8, prev: unknown, inc: 9, hot: -1, note: nullNote},
		{offset: 5, kind: tombstone, hot: -1},
		{offset: 6, kind: poison, hot: -1},
	} {
		got, err := parse(e.offset, []byte("k"), e.value())
		if err != nil || got != e {
			t.Errorf("got %+v, %v, want %+v", got, err, e)
		}
	}
	good := event{id: 1, hot: 1}
	for _, key := range [][]byte{nil, {}} {
		if got, err := parse(0, key, good.value()); err != nil || got.kind != poison {
			t.Errorf("without key: %+v, %v", got, err)
		}
	}
	if _, err := parse(0, []byte("k"), []byte("{")); err == nil {
		t.Error("a broken record was read")
	}
}

// TestKeyring draws many records: all kinds come, and the links of a key hold over commits and aborts.
func TestKeyring(t *testing.T) {
	var ids atomic.Int64
	ring := newKeyring(7, 1, &ids, 4)
	w := &writer{producers: &producers{}, ring: ring, rnd: rand.New(rand.NewPCG(1, 1))}
	truth := newTruth()
	kinds := map[kind]int{}
	offsets := map[int32]int64{}
	for range 400 {
		batch := make([]draft, 25)
		for i := range batch {
			batch[i] = ring.next(time.Now())
		}
		how := []end{committed, committed, aborted}[w.rnd.IntN(3)]
		w.settle(batch, how)
		for _, d := range batch {
			if d.Partition < 0 || d.Partition >= 4 {
				t.Fatalf("partition %d", d.Partition)
			}
			e, err := parse(offsets[d.Partition], d.Key, d.Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds[e.kind]++
			offsets[d.Partition]++
			if how == committed {
				truth.add(source{topic: mainTopic, partition: d.Partition}, string(d.Key), e)
			}
		}
	}
	if kinds[valued] == 0 || kinds[tombstone] == 0 || kinds[poison] == 0 {
		t.Errorf("kinds: %v", kinds)
	}
	for _, k := range truth.table(rowsTable) {
		all := truth.row(place{rowsTable, k})
		if len(all) != 1 {
			t.Fatalf("key %s lies in %d partitions", k, len(all))
		}
		for _, events := range all {
			var last int64
			for _, e := range events {
				if e.kind == valued {
					if e.prev != last {
						t.Fatalf("key %s: record %d says %d came before it, it was %d", k, e.id, e.prev, last)
					}
					last = e.id
				}
			}
		}
	}
	if n := w.missing(truth); len(n) > 0 {
		t.Errorf("%d confirmed records are missing", len(n))
	}
	w.confirmed = append(w.confirmed, 1<<40)
	if n := w.missing(truth); !reflect.DeepEqual(n, []int64{1 << 40}) {
		t.Errorf("missing: %v", n)
	}
}

// TestVerdict says when a run fails.
func TestVerdict(t *testing.T) {
	r := &result{}
	if r.verdict() != nil {
		t.Error("a clean run fails")
	}
	r.void("x")
	if r.verdict() == nil {
		t.Error("a void run passes")
	}
	r = &result{violations: 1}
	if r.verdict() == nil {
		t.Error("a violation passes")
	}
	f := &findings{}
	f.add("here", found(lost, "one"), found(lost, "one"), found(stuck, "two"))
	if n, _ := f.numbers(); n[lost] != 1 || n[stuck] != 1 || f.total() != 2 {
		t.Errorf("numbers %v", n)
	}
}
