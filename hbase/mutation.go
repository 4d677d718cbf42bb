package hbase

import (
	"encoding/binary"
	"math"

	"rowmark/hbase/pb"
)

// deleteType is a delete marker's number in an inline cell.
func deleteType(t CellType) (pb.MutationProto_DeleteType, bool) {
	switch t {
	case CellDelete:
		return pb.MutationProto_DELETE_ONE_VERSION, true
	case CellDeleteColumn:
		return pb.MutationProto_DELETE_MULTIPLE_VERSIONS, true
	case CellDeleteFamily:
		return pb.MutationProto_DELETE_FAMILY, true
	case CellDeleteFamilyVersion:
		return pb.MutationProto_DELETE_FAMILY_VERSION, true
	}
	return 0, false
}

// Parts that do not change: an attribute that turns "return results" off, for nobody reads them, and the class that
// compares a cell with a value.
const (
	noResults      = "\x0a\x04_rr_\x12\x01\x00"
	comparatorName = javaPrefix + "filter.BinaryComparator"
)

// mutation writes a MutationProto: with its cells inline, or with their number when they are in the cell block. It
// has no nonce: nonces guard neither puts nor conditions, and nothing is sent twice here.
func (f *frame) mutation(num byte, row []byte, m *Mutation, inline bool) {
	end := f.len()
	if !inline {
		f.uintField(8, uint64(len(m.Cells)))
	}
	f.uintField(6, uint64(pb.MutationProto_SYNC_WAL))
	if m.Visibility != "" {
		attribute := f.len()
		f.textField(1, m.Visibility)
		f.nest(2, attribute) // a CellVisibility
		f.textField(1, "VISIBILITY")
		f.nest(5, attribute)
	}
	if m.Kind == KindIncrement || m.Kind == KindAppend {
		f.textField(5, noResults)
	}
	if m.HasTTL {
		attribute := f.len()
		f.bytesField(2, binary.BigEndian.AppendUint64(make([]byte, 0, 8), uint64(m.TTL)))
		f.textField(1, "_ttl")
		f.nest(5, attribute)
	}
	if inline {
		f.inlineCells(m)
	}
	f.uintField(2, uint64(m.Kind))
	f.bytesField(1, row)
	f.nest(num, end)
}

// inlineCells writes the cells of a mutation, neighbours of one family together.
func (f *frame) inlineCells(m *Mutation) {
	family := f.len()
	for i := len(m.Cells) - 1; i >= 0; i-- {
		c := &m.Cells[i]
		end := f.len()
		if m.Kind == KindDelete {
			d, _ := deleteType(c.Type)
			f.uintField(4, uint64(d))
		}
		if c.Timestamp != LatestTimestamp {
			f.uintField(3, uint64(c.Timestamp))
		}
		if m.Kind != KindDelete {
			f.bytesField(2, c.Value) // must be there, also when it is empty
		}
		f.bytesField(1, c.Qualifier)
		f.nest(2, end)
		if i == 0 || m.Cells[i-1].Column != c.Column && string(m.Cells[i-1].Family) != string(c.Family) {
			f.bytesField(1, c.Family)
			f.nest(3, family)
			family = f.len()
		}
	}
}

// blockCells writes the cells of a mutation into the cell block.
func (f *frame) blockCells(row []byte, m *Mutation) {
	for i := len(m.Cells) - 1; i >= 0; i-- {
		c := m.Cells[i]
		c.Type = c.typeOrPut()
		f.room(4 + cellSize(row, c.Family, c.Qualifier, c.Value))
		appendCell(f.b[f.at:f.at], row, &c)
	}
}

// condition always writes the comparison and a BinaryComparator: without them servers read other things.
func (f *frame) condition(num byte, row []byte, c *Condition) {
	end := f.len()
	if c.From != 0 || c.To != 0 {
		to := uint64(c.To)
		if to == 0 {
			to = math.MaxInt64
		}
		f.uintField(2, to)
		f.uintField(1, uint64(c.From))
		f.nest(6, end)
	}
	comparator := f.len()
	f.bytesField(1, c.Value)
	f.nest(1, comparator) // a ByteArrayComparable,
	f.nest(2, comparator) // in a BinaryComparator,
	f.textField(1, comparatorName)
	f.nest(5, comparator) // in a Comparator
	f.uintField(4, uint64(c.Op))
	f.bytesField(3, c.Qualifier)
	f.bytesField(2, c.Family)
	f.bytesField(1, row)
	f.nest(num, end)
}

// region writes a RegionSpecifier.
func (f *frame) region(num byte, r *Region) {
	end := f.len()
	f.bytesField(2, r.Name)
	f.uintField(1, uint64(pb.RegionSpecifier_REGION_NAME))
	f.nest(num, end)
}

// writeSize is about how many bytes a RowWrite takes in a call.
func writeSize(w *RowWrite) int {
	n := 64 + len(w.Row)
	for i := range w.Mutations {
		n += 32 + len(w.Row) + len(w.Mutations[i].Visibility)
		for j := range w.Mutations[i].Cells {
			c := &w.Mutations[i].Cells[j]
			n += 24 + len(c.Family) + len(c.Qualifier) + len(c.Value)
		}
	}
	if c := w.Condition; c != nil {
		n += 110 + len(w.Row) + len(c.Family) + len(c.Qualifier) + len(c.Value)
	}
	return n
}
