package reprocess

import (
	"bytes"
	"context"
	"errors"

	"rowmark/connector"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// oldListed is how many of the rows under old keys are told by name.
const oldListed = 100

// RowName is a row of a table.
type RowName struct {
	Table string
	Row   []byte
}

// OldKeys are rows that the old mapping puts of records of the window, and that the new one makes of no record of the ranges.
type OldKeys struct {
	Count   int64
	Rows    []RowName // the first hundred
	Removed bool      // the run deletes them
}

// oldKeys tells such rows from others.
type oldKeys struct {
	OldKeys
	kept    map[rowID]bool                // what the new mapping makes of the ranges
	found   map[rowID]bool                // what the old one puts of the window
	deletes map[string]*mapping.RowDelete // of a row, by table
}

func (o *oldKeys) has(id rowID) bool { return o.found[id] && !o.kept[id] }

// findOldKeys goes through the ranges before the run does, where the mappings may make different rows: what the new one makes
// of them is known only at their end.
func (s *Stage) findOldKeys(ctx context.Context, remove bool) error {
	if s.alone || !s.differs() {
		return nil
	}
	o := &oldKeys{OldKeys: OldKeys{Removed: remove}, kept: map[rowID]bool{}, found: map[rowID]bool{}, deletes: map[string]*mapping.RowDelete{}}
	ids := newFloors(s)
	err := s.eachOld(ctx, func(row *mapping.RowOps, old bool) error {
		switch id := ids.id(row); {
		case !old:
			o.kept[id] = true
		case puts(row):
			o.found[id] = true
		}
		if int64(len(o.kept)+len(o.found)) > s.budget.most {
			return refuse("the rows that the range writes are more than %d (--reprocess-rows), and must be remembered to tell which keys are old: reprocess a narrower window, or allow more", s.budget.most)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for id := range o.found {
		if o.has(id) {
			o.Count++
		}
	}
	for _, p := range s.parts {
		for _, t := range p.live.DataTables() {
			o.deletes[t.Name] = &mapping.RowDelete{Families: p.live.Puts(t.Name)}
		}
	}
	s.old = o
	return s.nameOldKeys(ctx, ids)
}

// nameOldKeys lists the first rows under old keys.
func (s *Stage) nameOldKeys(ctx context.Context, ids *floors) error {
	o, listed, full := s.old, map[rowID]bool{}, errors.New("enough")
	if o.Count == 0 {
		return nil
	}
	err := s.eachOld(ctx, func(row *mapping.RowOps, old bool) error {
		if id := ids.id(row); old && o.has(id) && !listed[id] {
			listed[id] = true
			o.Rows = append(o.Rows, RowName{row.Table, bytes.Clone(row.Row)})
		}
		if len(listed) == oldListed {
			return full
		}
		return nil
	})
	if errors.Is(err, full) {
		return nil
	}
	return err
}

// eachOld calls f with the rows that the new mapping makes of the ranges, and those that the old one makes of the window.
func (s *Stage) eachOld(ctx context.Context, f func(row *mapping.RowOps, old bool) error) error {
	ask := func(l *decode.Later) error { return l.Wait(ctx) }
	for _, tp := range connector.PartitionsOf(s.parts) {
		p := s.parts[tp]
		err := s.log.Each(ctx, &p.Part, p.First, p.Until, func(rec decode.Record) error {
			for _, set := range []*mapping.Set{s.set, p.live} {
				old := set == p.live
				if old && !s.window.Holds(rec.Timestamp) {
					continue
				}
				res, err := set.MapAsking(rec, ask)
				if err != nil {
					return err
				}
				for i := range res.Rows {
					if o := &res.Rows[i]; !s.fresh[o.Table] && !s.left[o.Table] {
						if err := f(o, old); err != nil {
							return err
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// differs says whether the mappings may make different rows.
func (s *Stage) differs() bool {
	for _, p := range s.parts {
		if !p.live.SameKeys(s.set) {
			return true
		}
	}
	return false
}

// removeOld deletes what the old mapping made of a record of the window, in a row that the new one does not write, up to the
// time that it had there. What follows is sent again as behind any delete of the run.
func (s *state) removeOld(out []mapping.RowOps, o *mapping.RowOps, at int64) []mapping.RowOps {
	old := s.stage.old
	if old == nil || !old.Removed || s.stage.left[o.Table] {
		return out
	}
	id := s.rows.id(o)
	if !old.has(id) {
		return out
	}
	t := s.rows.of(id)
	if !t.touched() {
		s.counts.rows.Add(1)
		if !o.LogOrder {
			t.live = at
		}
	}
	at = max(at, t.run) // what was sent again in the row went up to there
	t.run = at + 1
	s.rows.set(id, t)
	return append(out, mapping.RowOps{Table: o.Table, Row: o.Row, Delete: old.deletes[o.Table], Time: at})
}
