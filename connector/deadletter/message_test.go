package deadletter

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"

	"pgregory.net/rapid"
)

// message gives that of a letter, out of the write by which its row is written.
func message(t testing.TB, raw Raw) *Message {
	t.Helper()
	ops := raw.Unmapped(errors.New("x"))
	w := hbase.RowWrite{Row: ops.Row}
	var err error
	if w.Mutations, err = core.Fold([]mapping.RowOps{ops}); err != nil {
		t.Fatal(err)
	}
	core.Guard(&w, []byte("_k"), "s/t/0", core.Mark{Next: 5})
	m, err := NewMessage(&w)
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	return m
}

// said gives the headers of a name.
func said(r kafka.Record, name string) (out []string) {
	for _, h := range r.Headers {
		if h.Key == name {
			out = append(out, string(h.Value))
		}
	}
	return out
}

func only(r kafka.Record, name, want string) bool {
	got := said(r, name)
	return len(got) == 1 && got[0] == want
}

// A value in pieces is sent whole, one that no letter holds is said to be left out, and null is not empty.
func TestMessagesHoldWhatLettersDo(t *testing.T) {
	for _, value := range [][]byte{nil, {}, []byte("v"), bytes.Repeat([]byte("v"), 9999), make([]byte, letterMost)} {
		raw := Raw{
			Source: &Source{Key: Key{Sink: "s", Topic: "t", Partition: 7, Incarnation: 2}, Mapping: "m", MaxCell: 2000},
			Record: decode.Record{Offset: 9, Timestamp: -1, Value: value},
		}
		if len(value) == letterMost {
			raw.Source.MaxCell = 10 << 20
		}
		r := message(t, raw).Record()
		if len(value) == letterMost {
			if r.Value != nil || !only(r, "rowmark.value.size", "67108864") || len(said(r, "rowmark.value.sha256")) != 1 {
				t.Errorf("the largest value: %d bytes, headers %q", len(r.Value), r.Headers)
			}
			continue
		}
		if !bytes.Equal(r.Value, value) || (r.Value == nil) != (value == nil) || r.Key != nil || r.Timestamp != -1 {
			t.Errorf("a value of %d bytes came as %d bytes, %+v", len(value), len(r.Value), r)
		}
		if !only(r, "rowmark.letter", "t/7#2/9") || !only(r, "rowmark.timestamp", "-1") || said(r, "rowmark.table") != nil || said(r, "rowmark.value.size") != nil {
			t.Errorf("headers %q", r.Headers)
		}
	}
}

// A message gives up its parts one by one, and its time once; what it is of stays.
func TestMessagesEndWithTheirHeaders(t *testing.T) {
	m := message(t, Raw{
		Source: &Source{Key: Key{Sink: "s", Topic: "t"}, MaxCell: 2000},
		Record: decode.Record{Key: []byte("k"), Value: []byte("v"), Headers: []decode.Header{{Key: "h"}}, Timestamp: 77},
	})
	steps := 0
	for m.Shrink() {
		steps++
	}
	if r := m.Record(); steps != 3 || r.Key != nil || r.Value != nil || said(r, "h") != nil || !only(r, "rowmark.letter", "t/0/0") ||
		!only(r, "rowmark.key.size", "1") || !only(r, "rowmark.headers.size", "26") {
		t.Errorf("after %d steps: %+v", steps, m.Record())
	}
	now := time.UnixMilli(1764400000000)
	if !m.Redate(now) || m.Redate(now.Add(1)) {
		t.Error("the time is not changed once")
	}
	if r := m.Record(); r.Timestamp != now.UnixMilli() || !only(r, "rowmark.timestamp", "77") {
		t.Errorf("%+v", r)
	}
}

// Other rows are no letters, and no bytes make a panic.
func TestForeignWritesAreNoMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := hbase.RowWrite{Row: rapid.SampledFrom([][]byte{nil, []byte("row"), Key{Sink: "s", Topic: "t"}.Row()}).Draw(t, "row")}
		letter := len(w.Row) > 3
		names, stage := []string{colStage, colTimestamp, colHeaders, colValue, colValue + endSize, "other"}, false
		for range rapid.IntRange(0, 4).Draw(t, "cells") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			stage = stage || name == colStage
			w.Mutations = append(w.Mutations, hbase.Mutation{Cells: []hbase.MutationCell{{Column: (*hbase.Column)(column(name)), Value: rapid.SliceOf(rapid.Byte()).Draw(t, "value")}}})
		}
		m, err := NewMessage(&w)
		if !(letter && stage) && (m != nil || err != nil) {
			t.Fatalf("%q: %+v, %v", w.Row, m, err)
		}
		if m != nil {
			m.Record()
		}
	})
}
