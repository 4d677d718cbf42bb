package deadletter

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"rowmark/hbase"
)

// job is the one retry that a sink has under way. Its cell is only changed by compare-and-set, and is all that
// decides: a retry that lost it to another finds out before it takes up further letters.
type job struct {
	// ID is drawn with the first retry ever, and part of the marks' name: a table made anew begins its numbers anew.
	ID    string `json:"id"`
	Owner string `json:"owner"`
	// Next is the number of the first of Letters. Each letter taken up gets a number, and they rise.
	Next    int64    `json:"next"`
	Letters [][]byte `json:"letters,omitempty"` // row keys of those taken up and not yet done
	Delete  bool     `json:"delete,omitempty"`  // resolved letters are deleted
}

var (
	jobColumn  = column("job")
	jobMapping = column("mapping") // canonical text, by which the job's letters are finished
)

// jobRow is the row of the sink's job. It is no letter's: those have three parts behind the sink.
func (t *Table) jobRow() []byte { return []byte("~retry/" + t.Sink) }

// ErrTakenOver says that another retry took over.
var ErrTakenOver = errors.New("another retry of dead letters took over; it finishes what this one began")

// readJob gives the job's cell and the mapping it is finished by; without one a new job.
func (t *Table) readJob(ctx context.Context) (j job, was, mapping []byte, err error) {
	row, err := t.Client.Get(ctx, t.Name, hbase.Get{Row: t.jobRow(), Columns: []hbase.Column{hbase.Column(*jobColumn), hbase.Column(*jobMapping)}})
	if err != nil {
		return j, nil, nil, fmt.Errorf("reading the last retry in %s: %w", t.Name, err)
	}
	for i := range row.Cells {
		switch c := &row.Cells[i]; {
		case bytes.Equal(c.Qualifier, jobColumn.Qualifier):
			was = c.Value
		case bytes.Equal(c.Qualifier, jobMapping.Qualifier):
			mapping = c.Value
		}
	}
	if was == nil {
		return job{ID: randomID(), Next: 1}, nil, nil, nil
	}
	if err := json.Unmarshal(was, &j); err != nil {
		return j, nil, nil, fmt.Errorf("reading the last retry in %s: %w", t.Name, err)
	}
	return j, was, mapping, nil
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return hex.EncodeToString(b[:])
}

// swapJob replaces the job's cell, if it is still was, and gives what stands there now.
func (t *Table) swapJob(ctx context.Context, was []byte, j job, mapping []byte) ([]byte, error) {
	put := marshal(j)
	cells := []hbase.MutationCell{{Column: (*hbase.Column)(jobColumn), Timestamp: hbase.LatestTimestamp, Value: put}}
	if mapping != nil {
		cells = append(cells, hbase.MutationCell{Column: (*hbase.Column)(jobMapping), Timestamp: hbase.LatestTimestamp, Value: mapping})
	}
	res := t.Client.WriteRow(ctx, t.Name, hbase.RowWrite{
		Row: t.jobRow(), Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: cells}},
		Condition: &hbase.Condition{Family: familyName, Qualifier: jobColumn.Qualifier, Op: hbase.CompareEqual, Value: was},
	})
	switch {
	case res.Outcome == hbase.Applied:
		return put, nil
	case res.Outcome == hbase.Refused && res.Err != nil:
		return nil, fmt.Errorf("writing down the retry in %s: %w", t.Name, res.Err)
	}
	// Refused by its condition, or unknown: the cell tells. Its owner is random, so that no other writes the same.
	now, cell, _, err := t.readJob(ctx)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(cell, put) {
		return put, nil
	}
	if res.Outcome == hbase.Unknown && now.Owner == j.Owner {
		return nil, fmt.Errorf("writing down the retry in %s: %w; run it again", t.Name, res.Err)
	}
	return nil, ErrTakenOver
}
