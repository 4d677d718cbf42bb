package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rowmark/connector/audit"
	"rowmark/connector/core"
	"rowmark/connector/preview"
	"rowmark/hbase"
	"rowmark/kafka"
)

func (w *world) inspector(t *testing.T) *audit.Inspector {
	i := &audit.Inspector{
		Kafka: w.kafka, HBase: w.hbase, Checkpoint: w.store.Read, Mappings: w.opts.Mappings, Sink: "s", MarkFamily: "_k",
		Committed: true, Timeout: 20 * time.Second,
	}
	t.Cleanup(i.Close)
	return i
}

// Each cell is traced to the record that put it, also where that came late and bears the floor.
func TestInspectTracesCells(t *testing.T) {
	w := newWorld(t, 2, fmt.Sprintf(plantedMappings, "0s", "skip"))
	w.produce(0, noon, "r", `{"a":"1","b":"same"}`)
	w.produce(0, noon+5, "r", `{"n":1}`)
	w.produce(0, noon+2, "r", `{"a":"late"}`) // at noon+5
	w.produce(0, noon+9, "other", `{"a":"late","b":"same"}`)
	w.produce(1, noon+6, "r", `{"n":1,"l":"x"}`)
	w.run()
	w.write("default:x", "r", hbase.KindPut, cell(hbase.CellPut, "d", "foreign", noon, "1"))
	w.write("default:x", "r", hbase.KindPut,
		cell(hbase.CellPut, "_k", "other/t/0", 7, string(core.Mark{Next: 7, LeaderEpoch: -1}.Encode())),
		cell(hbase.CellPut, "_k", "s~fix/t/0", 3, string(core.Mark{Next: 3, LeaderEpoch: -1, Barred: "too large"}.Encode())),
		cell(hbase.CellPut, "_k", "s/t/9", 4, "broken"),
		cell(hbase.CellPut, "_k", "s/t/0#4", 1, string(core.Mark{Next: 1, LeaderEpoch: -1}.Encode())))
	v, err := w.inspector(t).Row(t.Context(), "default:x", []byte("r"))
	must(t, err)
	got := ""
	for _, c := range v.Cells {
		got += fmt.Sprintf("%s=%s(%s) %s; ", c.Column, c.Value, c.Encoding, c.Record)
	}
	if want := "c:n=2(bytes_int64) ; d:a=late(string) t/0/2; d:b=same(string) t/0/0; d:foreign=1() ; l:l=x(string) ; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = ""
	for _, m := range v.Marks {
		record := "-"
		if m.Record != nil {
			record = fmt.Sprint(m.Record.Offset)
		}
		got += fmt.Sprintf("%s %d %s run=%s barred=%s error=%v; ", m.Name, m.Next, record, m.Run, m.Barred, m.Error != "")
	}
	want := "other/t/0 7 - run= barred= error=false; s/t/0 3 2 run= barred= error=false; s/t/0#4 1 - run= barred= error=true; " +
		"s/t/1 1 0 run= barred= error=false; s/t/9 4 - run= barred= error=true; s~fix/t/0 3 2 run=fix barred=too large error=false; "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(v.Made) != 1 || len(v.Made[0].Parts) != 1 || v.Made[0].Parts[0] != (preview.KeyPart{Name: "key", Text: "r"}) {
		t.Errorf("made of %+v", v.Made)
	}
	if v, err := w.inspector(t).Row(t.Context(), "default:x", []byte("none")); v != nil || err != nil {
		t.Errorf("a row that is not there: %+v, %v", v, err)
	}
}

// A record says of each of its rows whether that holds it.
func TestFatesOfRecords(t *testing.T) {
	w := newWorld(t, 1, fmt.Sprintf(plantedMappings, "0s", "skip"))
	w.write("default:x", "r", hbase.KindPut, cell(hbase.CellPut, "c", "n", noon, "bad")) // no counter
	w.produce(0, noon, "q", `{"a":"1","b":"2"}`)
	w.produce(0, noon+1, "q", `{"a":"3"}`)
	w.produce(0, noon, "r", `{"a":"2","n":1}`)
	w.produce(0, noon, "r", "{")
	w.run()
	w.produce(0, noon, "new", `{"a":"1"}`)
	gone := cell(hbase.CellDeleteFamily, "_k", "", hbase.LatestTimestamp, "")
	for _, c := range []struct {
		offset int64
		before func()
		want   string
	}{
		{0, nil, "yes: put d:a another value, at 2025-11-29T07:06:40.001Z; put d:b this value, at 2025-11-29T07:06:40.000Z; "},
		{1, nil, "yes: put d:a this value, at 2025-11-29T07:06:40.001Z; "},
		{2, nil, "refused: put d:a nothing; increment c:n a cell, last written at 2025-11-29T07:06:40.000Z; "},
		{3, nil, "error skip"},
		{4, nil, "no: put d:a nothing; "},
		{1, func() { w.write("default:x", "q", hbase.KindDelete, gone) }, "no: put d:a this value, at 2025-11-29T07:06:40.001Z; "},
	} {
		if c.before != nil {
			c.before()
		}
		f, err := w.inspector(t).Fate(t.Context(), kafka.TopicPartition{Topic: "t"}, c.offset)
		must(t, err)
		got := ""
		if f.Error != "" {
			got = "error " + f.OnError
		}
		for _, r := range f.Rows {
			got += r.State + ": "
			for _, cell := range r.Cells {
				got += fmt.Sprintf("%s %s %s; ", cell.Op, cell.Column, cell.Now)
			}
		}
		if got != c.want || f.Checkpoint != 4 || f.Record.Key != nil {
			t.Errorf("record %d: got %s, want %s: %+v", c.offset, got, c.want, f)
		}
	}
	if _, err := w.inspector(t).Fate(t.Context(), kafka.TopicPartition{Topic: "t"}, 5); err == nil || !strings.Contains(err.Error(), "outside the log") {
		t.Errorf("past the log: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.inspector(t).Fate(ctx, kafka.TopicPartition{Topic: "t"}, 0); err == nil {
		t.Errorf("stopped: no error")
	}
}

// What is shown of a key in the form of the HBase shell is read as the same key, whatever its bytes.
func TestKeysAreReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		key := make([]byte, 1+random.IntN(12))
		for i := range key {
			key[i] = byte(random.Uint32()) & byte(random.Uint32()|0x5c)
		}
		shown := preview.BytesOf(key)
		escaped, err := audit.ParseKey(shown.Text, audit.KeyEscaped)
		if err != nil || !bytes.Equal(escaped, key) {
			t.Fatalf("%x is shown as %s, and that is %x, %v", key, shown.Text, escaped, err)
		}
		if plain, err := audit.ParseKey(shown.Hex, audit.KeyHex); err != nil || !bytes.Equal(plain, key) {
			t.Fatalf("%s is %x, %v", shown.Hex, plain, err)
		}
	}
	for _, c := range []struct {
		text string
		form audit.KeyForm
	}{{"", audit.KeyText}, {"", audit.KeyHex}, {"0x", audit.KeyHex}, {"6", audit.KeyHex}, {"6g", audit.KeyHex}, {"", audit.KeyEscaped}, {`\`, audit.KeyEscaped}, {`a\x6`, audit.KeyEscaped}, {`\xzz`, audit.KeyEscaped}, {`\n00`, audit.KeyEscaped}} {
		if key, err := audit.ParseKey(c.text, c.form); err == nil {
			t.Errorf("%q is taken for %x", c.text, key)
		}
	}
}
