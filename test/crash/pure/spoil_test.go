package pure

import (
	"encoding/binary"
	"slices"
	"testing"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// edit changes the first cell of a family in a table.
func (s *Spoiler) edit(table, family string, f func(v *version)) {
	var ids []rowID
	for id := range s.w.store.rows {
		if id.table == table {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b rowID) int {
		if a.row < b.row {
			return -1
		}
		return 1
	})
	for _, id := range ids {
		row := slices.Clone(s.w.store.rows[id])
		for i := range row {
			v := &row[i]
			if best := visible(row, v.Family, v.Qualifier, 0); string(v.Family) == family && best == v {
				f(v)
				s.w.store.rows[id] = row
				return
			}
		}
	}
}

// TestSpoiledDataIsCaught: each thing that the check looks at, spoiled at the end of a good run.
func TestSpoiledDataIsCaught(t *testing.T) {
	for name, spoil := range map[string]func(*Spoiler){
		"a put lost": func(s *Spoiler) { s.edit(tableRows, famData, func(v *version) { v.Type = hbase.CellDeleteColumn }) },
		"a put of another record": func(s *Spoiler) {
			s.edit(tableRows, famData, func(v *version) { v.Value = []byte("99") })
		},
		"a column too many": func(s *Spoiler) {
			s.edit(tableRows, famData, func(v *version) { v.Qualifier = []byte("p0.other") })
		},
		"a record counted twice": func(s *Spoiler) {
			s.edit(tableCounts, famCount, func(v *version) {
				v.Value = binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(v.Value)+1)
			})
		},
		"a record listed twice": func(s *Spoiler) {
			s.edit(tableCounts, famList, func(v *version) { v.Value = append(slices.Clone(v.Value), "1,"...) })
		},
		"a mark too low": func(s *Spoiler) { s.edit(tableRows, famMark, func(v *version) { v.Timestamp-- }) },
		"a mark of nobody": func(s *Spoiler) {
			s.edit(tableRows, famMark, func(v *version) { v.Qualifier = []byte("s/t/7") })
		},
		"a checkpoint that is held": func(s *Spoiler) { s.w.store.checkpoints[0].Owner = core.Owner{9} },
		"a checkpoint that lags":    func(s *Spoiler) { s.w.store.checkpoints[0].Offset-- },
		"no checkpoint":             func(s *Spoiler) { delete(s.w.store.checkpoints, 0) },
	} {
		for _, remap := range []bool{false, true} {
			s := NewScenario(ShapeRegions, OpMixed, hbase.ModeRegion, remap, "")
			if errs := s.Play(Plan{}, registry(t), Options{Spoil: spoil}); len(errs) == 0 {
				t.Errorf("%s, mapping changed %v: not caught", name, remap)
			}
		}
	}
}

// TestSwapsAreChecked: a checkpoint ahead of its rows, one that goes back, and an epoch that does.
func TestSwapsAreChecked(t *testing.T) {
	fresh := func() *world {
		w := newWorld(NewScenario(ShapeOne, OpPut, hbase.ModeRow, false, ""), Plan{}, registry(t), nil)
		w.checkSwap(0, &core.Checkpoint{Position: core.Position{Epoch: 2}})
		if len(w.errs) > 0 {
			t.Fatal(w.errs)
		}
		return w
	}
	w := fresh()
	w.checkSwap(0, &core.Checkpoint{Position: core.Position{Epoch: 2, Offset: 1}})
	wants(t, w.errs, "ahead")
	w = fresh()
	w.checkSwap(0, &core.Checkpoint{Position: core.Position{Epoch: 1}})
	wants(t, w.errs, "went back")
	w = fresh()
	w.checkSwap(0, &core.Checkpoint{Position: core.Position{Epoch: 2, Owner: core.Owner{7}}})
	wants(t, w.errs, "not its epoch")
	w = fresh()
	w.checked[0] = checked{core.Position{Epoch: 2, Offset: 5}, 0, true}
	w.checkSwap(0, &core.Checkpoint{Position: core.Position{Epoch: 2, Offset: 4}})
	wants(t, w.errs, "went back")
}

// TestWritesAreChecked: one row twice in a call, and twice in flight.
func TestWritesAreChecked(t *testing.T) {
	w := newWorld(NewScenario(ShapeOne, OpPut, hbase.ModeRow, false, ""), Plan{}, registry(t), nil)
	p := w.spawn(0, '1', false)
	g := &core.Group{Table: tableRows, Write: hbase.RowWrite{Row: []byte("a00"), Condition: &hbase.Condition{Qualifier: []byte("s/t/0")}}}
	p.write(&core.Write{Table: tableRows, Groups: []*core.Group{g, g}}, Point{})
	wants(t, w.errs, "twice in one write")
	wants(t, w.errs, "in flight at once")
}

// TestUnknownActionsAreCaught: what the harness can't name is a violation, not silence.
func TestUnknownActionsAreCaught(t *testing.T) {
	w := newWorld(NewScenario(ShapeOne, OpPut, hbase.ModeRow, false, ""), Plan{}, registry(t), nil)
	p := w.spawn(0, '1', false)
	type embeds struct{ core.Report }
	p.do(embeds{core.Report{TopicPartition: kafka.TopicPartition{Topic: "t"}}})
	wants(t, w.errs, "unknown type")
}
