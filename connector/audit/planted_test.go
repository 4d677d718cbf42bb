package audit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/audit"
	"rowmark/connector/core"
	"rowmark/hbase"
)

const plantedMappings = `tables:
  - topics: [t]
    table: x
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.a, to: "d:a"}
      - {field: value.b, to: "d:b", ttl: %s}
      - {field: value.n, to: "c:n", op: increment}
      - {field: value.l, to: "l:l", op: append}
    on_tombstone: delete-row
    on_error: %s
`

// noon is the time of the records.
const noon = 1_764_400_000_000

// plantedWorld holds the rows r, which has all, and gone, which was put and deleted, and one dead letter, at offset 4.
func plantedWorld(t *testing.T, ttl string) *world {
	w := newWorld(t, 1, fmt.Sprintf(plantedMappings, ttl, "dead-letter"))
	w.produce(0, noon, "gone", `{"a":"1"}`)
	w.produce(0, noon+1, "gone", "")
	w.produce(0, noon+2, "r", `{"a":"old","n":2,"l":"x"}`)
	w.produce(0, noon+9, "r", `{"a":"new","b":"1","n":3,"l":"y"}`)
	w.produce(0, noon+9, "r", "{")
	w.run()
	return w
}

func TestPlantedFaultsAreFound(t *testing.T) {
	const x, letters = "default:x", "default:rowmark_dead_letters"
	gone := func(w *world, table, row string, families ...string) {
		for _, f := range families {
			w.write(table, row, hbase.KindDelete, cell(hbase.CellDeleteFamily, f, "", hbase.LatestTimestamp, ""))
		}
	}
	mark := func(w *world, row string, next int64) {
		m := core.Mark{Next: next, Floor: noon + 9, LeaderEpoch: -1}
		w.write(x, row, hbase.KindPut, cell(hbase.CellPut, "_k", "s/t/0", next, string(m.Encode())))
	}
	for _, c := range []struct {
		name    string
		plant   func(*world)
		ttl     string
		from    int64  // offset
		want    string // kind, column and offset of all that is found
		excused string
	}{
		{name: "nothing"},
		{name: "a cell deleted", plant: func(w *world) {
			w.write(x, "r", hbase.KindDelete, cell(hbase.CellDeleteColumn, "d", "a", noon+9, ""))
		}, want: "lost d:a 3"},
		{name: "a cell deleted, seen from the range of its record alone", from: 3, plant: func(w *world) {
			w.write(x, "r", hbase.KindDelete, cell(hbase.CellDeleteColumn, "d", "a", noon+9, ""))
		}, want: "lost d:a 3"},
		{name: "the row deleted with its mark", plant: func(w *world) { gone(w, x, "r", "d", "c", "l", "_k") }, want: "lost  3"},
		{name: "the mark deleted", plant: func(w *world) { gone(w, x, "r", "_k") }, want: "lost  3"},
		{name: "the mark set back", plant: func(w *world) { gone(w, x, "r", "_k"); mark(w, "r", 3) }, want: "lost  3"},
		{name: "the letter deleted with its mark", plant: func(w *world) {
			rows, err := w.base.Dump("rowmark_dead_letters")
			must(w.t, err)
			gone(w, letters, string(rows[0].Row), "d", "_k")
		}, want: "lost  4"},
		{name: "a counter deleted", plant: func(w *world) { gone(w, x, "r", "c") }, want: "lost c:n 3"},
		{name: "a counter one too low", plant: func(w *world) {
			w.write(x, "r", hbase.KindIncrement, cell(0, "c", "n", hbase.LatestTimestamp, long(-1)))
		}, want: "lost c:n 3"},
		{name: "a counter one too high", plant: func(w *world) {
			w.write(x, "r", hbase.KindIncrement, cell(0, "c", "n", hbase.LatestTimestamp, long(1)))
		}, want: "doubled c:n 3"},
		{name: "a counter one too high, of which the beginning is not read", from: 3, plant: func(w *world) {
			w.write(x, "r", hbase.KindIncrement, cell(0, "c", "n", hbase.LatestTimestamp, long(1)))
		}, want: "", excused: "not judged"},
		{name: "an append twice", plant: func(w *world) {
			w.write(x, "r", hbase.KindAppend, cell(0, "l", "l", hbase.LatestTimestamp, "y"))
		}, want: "doubled l:l 3"},
		{name: "another list", plant: func(w *world) {
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "l", "l", hbase.LatestTimestamp, "yx"))
		}, want: "unexplained l:l 3"},
		{name: "a mark at what was never sent", plant: func(w *world) { mark(w, "r", 1_000_000) }, want: "doubled  3"},
		{name: "a mark of a record of another row", plant: func(w *world) { mark(w, "gone", 4) }, want: "unexplained  3"},
		{name: "an older cell in place of the newest", plant: func(w *world) {
			w.write(x, "r", hbase.KindDelete, cell(hbase.CellDelete, "d", "a", noon+9, ""))
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon+8, "old"))
		}, want: "stale d:a 3"},
		{name: "the value of an older record at the newest time", plant: func(w *world) {
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon+9, "old"))
		}, want: "stale d:a 3"},
		{name: "a cell that was deleted", plant: func(w *world) {
			must(w.t, w.base.Compact("x", true))
			w.write(x, "gone", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon, "1"))
		}, want: "stale d:a 1"},
		{name: "another value at the newest time", plant: func(w *world) {
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon+9, "strange"))
		}, want: "unexplained d:a 3"},
		{name: "a newer cell", plant: func(w *world) {
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon+10, "new"))
		}, want: "unexplained d:a 3"},
		{name: "a column of nobody", plant: func(w *world) {
			w.write(x, "r", hbase.KindPut, cell(hbase.CellPut, "d", "foreign", noon, "1"))
		}, want: "unexplained d:foreign -1"},
		{name: "a cell that expired", ttl: "1h", excused: "expired"},
		{name: "a cell deleted that lives long", ttl: "1000000h", plant: func(w *world) {
			w.write(x, "r", hbase.KindDelete, cell(hbase.CellDeleteColumn, "d", "b", noon+9, ""))
		}, want: "lost d:b 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.ttl == "" {
				c.ttl = "0s"
			}
			w := plantedWorld(t, c.ttl)
			if c.plant != nil {
				c.plant(w)
			}
			v := w.auditor()
			if c.from > 0 {
				v.From = audit.At(c.from)
			}
			r := w.verify(v)
			got := ""
			for _, f := range r.Findings {
				got += fmt.Sprintf("%s %s %d", f.Kind, f.Column, f.Offset)
			}
			s := r.Sources[0]
			if got != c.want || r.Found != min(1, len(c.want)) {
				t.Errorf("found %q, want %q: %+v", got, c.want, r.Findings)
			}
			if bad := c.want != "" && r.Findings[0].Kind != audit.Unexplained; (r.Wrong() == 1) != bad {
				t.Errorf("%d rows are wrong: %+v", r.Wrong(), s)
			}
			if (c.excused == "expired") != (s.Excused["expired"] == 1) || (c.excused == "not judged") != (s.NotJudged > 0) {
				t.Errorf("%+v", s)
			}
			if s.Letters != 1 && c.from == 0 {
				t.Errorf("%d letters", s.Letters)
			}
		})
	}
}

// Findings show values only when they are asked for.
func TestFindingsShowValues(t *testing.T) {
	w := plantedWorld(t, "0s")
	w.write("default:x", "r", hbase.KindPut, cell(hbase.CellPut, "d", "a", noon+9, "strange\x00"))
	w.write("default:x", "r", hbase.KindIncrement, cell(0, "c", "n", hbase.LatestTimestamp, long(1)))
	v := w.auditor()
	for _, f := range w.verify(v).Findings {
		if f.Have != nil || f.Want != nil {
			t.Errorf("unasked: %+v", f)
		}
	}
	v = w.auditor()
	v.Values = true
	got := ""
	for _, f := range w.verify(v).Findings {
		got += fmt.Sprintf("%s %s %s %s; ", f.Kind, f.Column, *f.Have, *f.Want)
	}
	if want := `doubled c:n 6 5; unexplained d:a strange\x00 new; `; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	v = w.auditor()
	v.Findings = 1 // the worst is kept
	if r := w.verify(v); r.Found != 2 || len(r.Findings) != 1 || r.Findings[0].Kind != audit.Doubled {
		t.Errorf("%+v", r)
	}
}

// A record that HBase refused is not missed in its rows: its letter, or the bar on the row, tells of it.
func TestRefusedRecordsAreExcused(t *testing.T) {
	for _, onError := range []string{"dead-letter", "skip"} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, a record after it %v", onError, after), func(t *testing.T) {
				w := newWorld(t, 1, fmt.Sprintf(plantedMappings, "0s", onError))
				w.write("default:x", "r", hbase.KindPut, cell(hbase.CellPut, "c", "n", noon, "bad")) // no counter
				w.produce(0, noon, "r", `{"a":"1"}`)
				w.produce(0, noon+1, "r", `{"a":"2","n":1}`)
				if after {
					w.produce(0, noon+2, "r", `{"a":"3"}`)
				}
				w.run()
				r := w.verify(w.auditor())
				for _, f := range r.Findings {
					if f.Kind != audit.Unexplained || f.Column != "c:n" {
						t.Errorf("%+v", f)
					}
				}
				if s := r.Sources[0]; onError == "dead-letter" && s.Letters != 1 {
					t.Errorf("%+v", s)
				}
			})
		}
	}
}

// While a connector writes on, what it has not written yet, or has written since, is not found wrong.
func TestVerifyBesideARunningConnector(t *testing.T) {
	w := newWorld(t, 2, fmt.Sprintf(randomMappings, "dead-letter"))
	w.opts.Core.Once = false
	w.opts.Core.CheckpointEvery = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	e, err := connector.New(ctx, w.opts)
	must(t, err)
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx); e.Close() }()
	random := rand.New(rand.NewPCG(3, 3))
	rows := int64(0)
	for range 15 {
		w.randomLog(random, 2, 20)
		if cks, err := w.store.List(ctx); err != nil || len(cks) < 2 {
			continue
		}
		r := w.verify(w.auditor())
		rows += totals(r).Rows
		if r.Found > 0 {
			t.Errorf("%+v", r.Findings)
		}
	}
	cancel()
	must(t, <-done)
	w.opts.Core.Once = true
	w.run() // a stopped connector need not have read all
	if r := w.verify(w.auditor()); r.Found > 0 || rows == 0 || totals(r).Records != 300 {
		t.Errorf("at the end: %+v, %d rows meanwhile", r, rows)
	}
}
