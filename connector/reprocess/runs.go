package reprocess

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rowmark/connector"
	"rowmark/hbase"
)

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
