package mapping

import (
	"errors"
	"fmt"
	"math"
	"time"

	"rowmark/connector/decode"
	"rowmark/connector/filter"
	"rowmark/connector/slab"
	"rowmark/rowkey"
)

// Map turns a record into rows by every mapping that takes its topic: all of them, or none and the first error.
// The rows alias the record's bytes. It is safe for concurrent use.
func (s *Set) Map(rec decode.Record) Result {
	p := s.plan(rec.Topic)
	if p.err != nil {
		return Result{Err: fmt.Errorf("mapping topic %s: %w", rec.Topic, p.err)}
	}
	w := s.workers.Get().(*worker)
	w.rec, w.topic, w.decoded, w.inflated = rec, p.topic, false, 0
	w.buf = w.bytes.Open(w.size)
	rows := w.rows.Open(len(p.rules))
	res := Result{OnError: OnErrorSkip}
	for _, r := range p.rules {
		before := len(rows)
		var err error
		if rows, err = w.apply(r, rows); err != nil {
			res = Result{
				Err:     &Failure{Table: r.spec.Table, Decoded: w.decoded, Err: fmt.Errorf("mapping %s -> %s: %w", rec.Topic, r.spec.Table, err)},
				OnError: r.onError,
			}
			rows = nil
			break
		}
		if len(rows) > before {
			res.OnError = min(res.OnError, r.onError)
		}
	}
	res.Inflated = int32(min(w.inflated, math.MaxInt32))
	if len(rows) > 0 {
		res.Rows = w.rows.Give(rows)
		w.bytes.Give(w.buf)
	}
	w.hold(len(rec.Key) + len(rec.Value) + len(w.buf) + w.inflated)
	w.drop()
	s.workers.Put(w)
	return res
}

// worker holds what mapping one record needs.
type worker struct {
	rec        decode.Record
	topic      []byte
	fields     decode.Fields
	decoded    bool
	inflated   int // bytes, of all that was decoded
	key, value decode.Format
	image      decode.Value // the row that a rule is applied to
	change     change
	table      string   // of that row
	buf        []byte   // row keys and encoded values
	path       [][]byte // to the member that a wildcard is at
	line       []byte   // the template that is being filled in
	groups     []string // of the topic's pattern, where a table's name is made
	input      filter.Input
	size       int // of buf, by experience
	wide       int // cells of a row, by experience

	// What is given away with the rows is cut from these.
	bytes slab.Slab[byte]
	trees slab.Slab[byte] // JSON of what is no JSON text
	rows  slab.Slab[RowOps]
	cells slab.Slab[CellOp]
	names slab.Slab[ColumnName] // of wildcards' columns
}

// hold tells the slabs how much their parts of a record keep in memory.
func (w *worker) hold(n int) {
	w.rows.Holds(n)
	w.cells.Holds(n)
	w.names.Holds(n)
}

func (w *worker) drop() {
	const largest = 64 << 10
	w.size = min(largest, max(w.size-w.size/16, len(w.buf)+16))
	w.fields.Drop()
	clear(w.path[:cap(w.path)])
	if cap(w.line) > largest {
		w.line = nil
	}
	if w.input.Record != nil {
		w.input = filter.Input{}
	}
	w.rec, w.topic, w.buf, w.image = decode.Record{}, nil, nil, decode.Value{}
	w.change.drop()
}

// lastTime is the end of the year 9999 in milliseconds: what lies beyond was counted in another unit.
const lastTime = 253402300799999

var errTime = errors.New("the record's timestamp is negative, not set, or beyond the year 9999: is it in milliseconds?")

// time gives the row's time, and checks it against the record and not a clock: a replay must decide the same.
func (w *worker) time(r *rule, deleted bool) (int64, error) {
	record := w.rec.Timestamp
	if record < 0 || record > lastTime {
		return 0, errTime
	}
	if r.time == nil || deleted && w.isOlder(r.time) {
		return record, nil
	}
	t, err := milliseconds(w.Resolve(r.time), r.spec.TimestampUnit)
	switch {
	case err != nil:
		return 0, fmt.Errorf("reading timestamp from %s in %s: %w", r.time, r.spec.TimestampUnit, err)
	case t < 0 || t > lastTime:
		return 0, fmt.Errorf("reading timestamp from %s in %s: it is negative or beyond the year 9999: is the unit right?", r.time, r.spec.TimestampUnit)
	case t-record > r.maxFuture:
		return 0, fmt.Errorf("reading timestamp from %s in %s: it is more than %s (max_future) ahead of the record's own", r.time, r.spec.TimestampUnit, r.spec.MaxFuture)
	case r.maxPast > 0 && record-t > r.maxPast:
		return 0, fmt.Errorf("reading timestamp from %s in %s: it is more than %s (max_past) behind the record's own", r.time, r.spec.TimestampUnit, r.spec.MaxPast)
	}
	return t, nil
}

var errRFC3339 = errors.New("not a time as in 2026-11-01T12:00:00Z")

func milliseconds(v rowkey.Value, unit string) (int64, error) {
	if unit == "rfc3339" {
		t, err := time.Parse(time.RFC3339Nano, string(v.Text))
		if v.Kind != rowkey.Text || err != nil {
			return 0, errRFC3339
		}
		return t.UnixMilli(), nil
	}
	n, err := rowkey.Integer(v)
	if err != nil {
		return 0, err
	}
	switch unit {
	case "s":
		if n > math.MaxInt64/1000 || n < 0 {
			return -1, nil
		}
		return n * 1000, nil
	case "us":
		return floorDiv(n, 1000), nil
	case "ns":
		return floorDiv(n, 1000000), nil
	}
	return n, nil
}

func floorDiv(n, by int64) int64 {
	if n < 0 {
		return -1 // negative times are refused, whatever they are
	}
	return n / by
}
