package reprocess

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Run is one reprocessing of a window, as it is written down in the checkpoint table under SINK~ID: before the first record is
// written, and by compare-and-set, so that whoever starts it again goes on with the same ranges.
type Run struct {
	ID     string            `json:"id"`
	Window Window            `json:"window"`
	Into   map[string]string `json:"into,omitempty"` // tables written to in place of others
	// DeleteOld says that rows under keys which the mapping no longer makes are deleted.
	DeleteOld bool      `json:"delete_old,omitempty"`
	Mapping   string    `json:"mapping"` // hash of the mapping of the window's records
	Created   time.Time `json:"created"`
	Who       string    `json:"who"`
	State     State     `json:"state"`
	Ended     time.Time `json:"ended,omitzero"`
	Parts     []Part    `json:"parts"`
	Tables    []string  `json:"tables"` // that the run writes to
	// Notes are what was said of it when it was made: what is left out, and why.
	Notes []string `json:"notes,omitempty"`
}

// State is how far a run is.
type State string

// States, in their order.
const (
	Writing   State = "writing"   // the records of the ranges
	Following State = "following" // what the live connector wrote meanwhile
	Done      State = "done"
)

// Part is what a run reads of a partition.
type Part struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	First     int64  `json:"first"` // where to read from, so that the timestamps of the window's rows can be told
	Until     int64  `json:"until"` // the live checkpoint as the run was made: the records of the window lie below
	Last      int64  `json:"last"`  // the last record of the window lies below
	// Tail is up to where the live connector may have written beside the run; Until before that is known.
	Tail int64 `json:"tail"`
	// Live is the hash of the mapping that the live connector wrote these records by.
	Live     string    `json:"live"`
	After    string    `json:"after"` // and that by which it writes from Until on
	Segments []Segment `json:"segments,omitempty"`
	Records  int64     `json:"records"` // of [First, Until)
	InWindow int64     `json:"in_window"`
	Strays   int64     `json:"strays"` // records of other times among those of the window
}

// Segment is where an incarnation of the log begins, and the least floor of rows there, in milliseconds.
type Segment struct {
	Start int64 `json:"start"`
	Floor int64 `json:"floor"`
}

// Source names the partition.
func (p *Part) Source() kafka.TopicPartition {
	return kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition}
}

var idRE = regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`)

// CheckID says what is wrong with the id of a run.
func CheckID(id string) error {
	if !idRE.MatchString(id) {
		return fmt.Errorf("%q: letters, digits and . _ -, at most 40 of them", id)
	}
	return nil
}

// DefaultID names a run by what it does.
func DefaultID(w Window, mapping string, into map[string]string, deleteOld bool) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%d %d %s", w.From, w.To, mapping)
	for _, table := range slices.Sorted(maps.Keys(into)) {
		_, _ = fmt.Fprintf(h, " %s=%s", table, into[table])
	}
	if deleteOld {
		_, _ = fmt.Fprint(h, " without old keys")
	}
	return hex.EncodeToString(h.Sum(nil)[:5])
}

// RefusedError says that what is asked for can't be done so, and that nothing was.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap gives the reason itself.
func (e *RefusedError) Unwrap() error { return e.Err }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Errorf(format, args...)} }

// differs says in what a run is another than the one that is asked for under its id.
func (r *Run) differs(asked *Run) error {
	var what string
	switch {
	case r.Window != asked.Window:
		what = "the window " + r.Window.String()
	case !maps.Equal(r.Into, asked.Into):
		what = "other tables (--reprocess-into " + intoText(r.Into) + ")"
	case r.DeleteOld != asked.DeleteOld:
		what = "another use of --delete-old-keys"
	case r.Mapping != asked.Mapping:
		what = "another mapping (" + r.Mapping[:min(12, len(r.Mapping))] + ")"
	default:
		return nil
	}
	return refuse("id %s was made for %s; use another id, or remove that run by rowmark reprocess clean %s", r.ID, what, r.ID)
}

func intoText(into map[string]string) string {
	var out []string
	for _, table := range slices.Sorted(maps.Keys(into)) {
		out = append(out, table+"="+into[table])
	}
	return strings.Join(out, ",")
}

const (
	colRun     = "run"
	colMapping = "mapping:" // and the hash of a live mapping, whose canonical text it holds
)

// Runs are the runs of a sink in the checkpoint table.
type Runs struct {
	Client *hbase.Client
	Table  string
	Sink   string // the live one
}

// Store is where a run keeps its checkpoints.
func (r *Runs) Store(id string) *connector.Store {
	return &connector.Store{Client: r.Client, Table: r.Table, Sink: r.Sink + "~" + id}
}

func (r *Runs) row(id string) []byte { return []byte(r.Sink + "~" + id) }

// entry is a run as it stands in the table.
type entry struct {
	Run
	cell     []byte
	mappings map[string][]byte // live ones, by their hashes
}

// Read gives a run; nil: there is none.
func (r *Runs) read(ctx context.Context, id string) (*entry, error) {
	row, err := r.Client.Get(ctx, r.Table, hbase.Get{Row: r.row(id)})
	if err != nil {
		return nil, fmt.Errorf("reading run %s in the checkpoint table %s: %w", id, r.Table, err)
	}
	if len(row.Cells) == 0 {
		return nil, nil
	}
	return entryOf(row)
}

func entryOf(row hbase.Row) (*entry, error) {
	e := &entry{mappings: map[string][]byte{}}
	for _, c := range row.Cells {
		name := string(c.Qualifier)
		if hash, ok := strings.CutPrefix(name, colMapping); ok {
			e.mappings[hash] = c.Value
		}
		if name != colRun {
			continue
		}
		e.cell = c.Value
		if err := json.Unmarshal(c.Value, &e.Run); err != nil {
			return nil, fmt.Errorf("reading the run in row %s of the checkpoint table: %w", row.Row, err)
		}
	}
	if e.cell == nil {
		return nil, fmt.Errorf("row %s of the checkpoint table holds no run", row.Row)
	}
	return e, nil
}

// List gives all runs, by their ids.
func (r *Runs) List(ctx context.Context) ([]Run, error) {
	var out []Run
	scan := hbase.Scan{Start: []byte(r.Sink + "~"), Stop: []byte(r.Sink + "\x7f")}
	err := r.Client.Scan(ctx, r.Table, scan, func(row hbase.Row) error {
		if bytes.ContainsRune(row.Row, '/') {
			return nil // a checkpoint of a run
		}
		e, err := entryOf(row)
		if err == nil {
			out = append(out, e.Run)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("scanning the checkpoint table %s for runs of sink %s: %w", r.Table, r.Sink, err)
	}
	return out, nil
}

// errChanged says that another process changed the run first.
var errChanged = errors.New("another process goes on with this run")

// write puts a run down if it still stands as it was read.
func (r *Runs) write(ctx context.Context, e *entry, run Run) error {
	text, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("encoding run %s: %w", run.ID, err)
	}
	family := []byte(connector.CheckpointFamily)
	cell := func(name string, value []byte) hbase.MutationCell {
		return hbase.MutationCell{Column: &hbase.Column{Family: family, Qualifier: []byte(name)}, Timestamp: hbase.LatestTimestamp, Value: value}
	}
	cells := []hbase.MutationCell{cell(colRun, text)}
	if e.cell == nil {
		for hash, mapping := range e.mappings {
			cells = append(cells, cell(colMapping+hash, mapping))
		}
	}
	res := r.Client.WriteRow(ctx, r.Table, hbase.RowWrite{
		Row: r.row(run.ID), Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: cells}},
		Condition: &hbase.Condition{Family: family, Qualifier: []byte(colRun), Op: hbase.CompareEqual, Value: e.cell},
	})
	if res.Outcome == hbase.Refused && res.Err != nil {
		return fmt.Errorf("writing run %s down in the checkpoint table %s: %w", run.ID, r.Table, res.Err)
	}
	if res.Outcome != hbase.Applied {
		now, err := r.read(ctx, run.ID)
		if err != nil {
			return err
		}
		if now == nil || !bytes.Equal(now.cell, text) {
			return fmt.Errorf("run %s: %w; start it again when that one ended", run.ID, errChanged)
		}
	}
	e.Run, e.cell = run, text
	return nil
}

// InWindow is how many records of the window the run writes.
func (r *Run) InWindow() int64 { return r.sum(func(p *Part) int64 { return p.InWindow }) }

// Records is how many records the ranges hold.
func (r *Run) Records() int64 { return r.sum(func(p *Part) int64 { return p.Records }) }

// Strays is how many records of other times lie among those of the window.
func (r *Run) Strays() int64 { return r.sum(func(p *Part) int64 { return p.Strays }) }

func (r *Run) sum(of func(*Part) int64) int64 {
	var n int64
	for i := range r.Parts {
		n += of(&r.Parts[i])
	}
	return n
}
