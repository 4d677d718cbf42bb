package reprocess

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"rowmark/connector"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// Stage maps the records of a run. It implements connector.Stage.
type Stage struct {
	window Window
	set    *mapping.Set
	fresh  map[string]bool // tables of the run alone
	left   map[string]bool // tables that the run leaves alone, since it writes to a fresh one instead
	alone  bool            // all tables are fresh: nothing counts but the records of the window
	log    *Log
	seeds  [2]maphash.Seed // of rows' ids
	old    *oldKeys        // nil: the mappings are the same
	budget budget
	counts counts
	parts  map[kafka.TopicPartition]*stagePart
	// there sees that the run was not removed; nil: it is not written down.
	there func(context.Context) error
}

// counts are what a stage did since it was made.
type counts struct{ records, window, rows, followers, deletes atomic.Int64 }

// Counts are what a run did since it was started.
type Counts struct {
	Records   int64 // read
	Window    int64 // of the window
	Rows      int64 // that records of the window write to, each counted once for a partition
	Followers int64 // sent again for having the timestamp of a cell that the run wrote
	Deletes   int64 // sent again
}

// stagePart is a partition and what is remembered of it.
type stagePart struct {
	Part
	live   *mapping.Set // of the records below Until
	after  *mapping.Set // of those from there on
	oldest int64        // a floor up to it changes nothing of a record of the window
	passed atomic.Int64

	mu    sync.Mutex
	state *state // of the one that was closed last; nil: none
}

// state is what is known of a partition's rows at an offset. One mapper owns it at a time.
type state struct {
	stage   *Stage
	part    *stagePart
	counts  *counts
	rows    *floors
	offset  int64 // of the record at hand
	next    int64 // records below are counted
	base    int64 // the floor of rows that the log's incarnation has not met
	shed    bool
	settled []mapping.RowOps // used again
}

// Open gives what maps a partition's records from offset from on.
func (s *Stage) Open(ctx context.Context, tp kafka.TopicPartition, from int64, ask func(*decode.Later) error) (connector.Mapper, error) {
	p := s.parts[tp]
	if p == nil {
		return nil, fmt.Errorf("%s is no part of the run", tp)
	}
	if s.there != nil {
		if err := s.there(ctx); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	known := p.state
	p.state = nil
	p.mu.Unlock()
	if known != nil && known.next == from {
		return known, nil
	}
	if known != nil {
		known.rows.drop()
	}
	st := &state{stage: s, part: p, counts: &counts{}, rows: newFloors(s), next: p.First}
	err := s.log.Each(ctx, &p.Part, p.First, from, func(rec decode.Record) error {
		_, err := st.Map(rec, ask)
		return err
	})
	if err != nil {
		st.rows.drop()
		return nil, fmt.Errorf("reading %s again up to offset %d, for the timestamps of its rows: %w", tp, from, err)
	}
	st.counts, st.next = &s.counts, max(from, p.First)
	return st, nil
}

// Close gives the state back for the next chunk.
func (s *state) Close(next int64) {
	s.next = max(s.next, next)
	s.part.passed.Store(max(0, s.next-s.part.First))
	s.part.mu.Lock()
	old := s.part.state
	s.part.state = s
	s.part.mu.Unlock()
	if old != nil {
		old.rows.drop()
	}
}

// Map gives what the run writes of a record.
func (s *state) Map(rec decode.Record, ask func(*decode.Later) error) (mapping.Result, error) {
	inside := rec.Offset < s.part.Until && s.stage.window.Holds(rec.Timestamp)
	var live, out mapping.Result
	var err error
	if !s.stage.alone {
		by := s.part.live
		if rec.Offset >= s.part.Until {
			by = s.part.after
		}
		if live, err = by.MapAsking(rec, ask); err != nil {
			return live, err
		}
	}
	if out = live; inside && (s.stage.alone || s.part.live != s.stage.set) {
		if out, err = s.stage.set.MapAsking(rec, ask); err != nil {
			return out, err
		}
	}
	s.at(rec.Offset)
	s.counts.records.Add(1)
	if inside {
		s.counts.window.Add(1)
		out.Rows = s.window(out.Rows, live.Rows)
	} else {
		out = mapping.Result{Rows: s.outside(live.Rows), OnError: live.OnError, Inflated: live.Inflated}
	}
	if s.rows.budget.spent() {
		return mapping.Result{Err: fmt.Errorf("the rows that the range writes are more than %d (--reprocess-rows), whose timestamps must be remembered: reprocess a narrower window, or allow more, at about 60 bytes each", s.rows.budget.most), OnError: mapping.OnErrorFail}, nil
	}
	return out, nil
}

// at goes on to a record.
func (s *state) at(offset int64) {
	s.offset, s.next = offset, offset+1
	for _, seg := range s.part.Segments {
		if offset >= seg.Start {
			s.base = seg.Floor
		}
	}
	if !s.shed && offset >= s.part.Last {
		s.shed = true
		s.rows.shed() // no record of the window comes any more
	}
}

// window sends the rows of a record of the window, and counts what the live connector made of it.
func (s *state) window(rows, live []mapping.RowOps) []mapping.RowOps {
	var out []mapping.RowOps
	if len(rows) > 0 {
		out = make([]mapping.RowOps, 0, len(rows)+1)
	}
	for i := range rows {
		out = s.replay(out, &rows[i])
	}
	for i := range live {
		at := s.count(&live[i])
		out = s.removeOld(out, &live[i], at)
	}
	return out
}

func (s *state) outside(live []mapping.RowOps) []mapping.RowOps {
	var out []mapping.RowOps
	for i := range live {
		out = s.follow(out, &live[i])
	}
	return out
}

// Counts gives what was done so far.
func (s *Stage) Counts() Counts {
	c := &s.counts
	return Counts{c.records.Load(), c.window.Load(), c.rows.Load(), c.followers.Load(), c.deletes.Load()}
}

// passed gives how many offsets of the ranges were read, of all partitions.
func (s *Stage) passed() int64 {
	var n int64
	for _, p := range s.parts {
		n += p.passed.Load()
	}
	return n
}

var _ connector.Stage = (*Stage)(nil)
