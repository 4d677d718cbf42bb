package hbase

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/proto"

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

type (
	columnValue    = pb.MutationProto_ColumnValue
	qualifierValue = pb.MutationProto_ColumnValue_QualifierValue
)

// Values that every message points to; nobody writes through them.
var (
	yes         = proto.Bool(true)
	syncWAL     = pb.MutationProto_SYNC_WAL.Enum()
	kindPtrs    = enumPtrs(pb.MutationProto_APPEND, pb.MutationProto_INCREMENT, pb.MutationProto_PUT, pb.MutationProto_DELETE)
	comparePtrs = enumPtrs(pb.CompareType_LESS, pb.CompareType_LESS_OR_EQUAL, pb.CompareType_EQUAL,
		pb.CompareType_NOT_EQUAL, pb.CompareType_GREATER_OR_EQUAL, pb.CompareType_GREATER)
	// "Return results" off: nobody reads them.
	noResults      = &pb.NameBytesPair{Name: proto.String("_rr_"), Value: []byte{0}}
	comparatorName = proto.String(javaPrefix + "filter.BinaryComparator")
	// emptyComparator compares with the empty value: a BinaryComparator of one empty ByteArrayComparable of one
	// empty value.
	emptyComparator = &pb.Comparator{Name: comparatorName, SerializedComparator: []byte{0x0a, 2, 0x0a, 0}}
)

func enumPtrs[E any](all ...E) []*E {
	out := make([]*E, len(all))
	for i := range all {
		out[i] = &all[i]
	}
	return out
}

// mutationHead is a mutation without its cells. It has no nonce: nonces guard neither puts nor conditions, and
// nothing is sent twice here.
func mutationHead(row []byte, m *Mutation) *pb.MutationProto {
	p := &pb.MutationProto{Row: row, MutateType: kindPtrs[m.Kind], Durability: syncWAL}
	if m.HasTTL {
		p.Attribute = []*pb.NameBytesPair{{Name: proto.String("_ttl"), Value: binary.BigEndian.AppendUint64(nil, uint64(m.TTL))}}
	}
	if m.Kind == KindIncrement || m.Kind == KindAppend {
		p.Attribute = append(p.Attribute, noResults)
	}
	return p
}

// inlineMutation carries its cells in the message, neighbours of one family together.
func inlineMutation(row []byte, m *Mutation) *pb.MutationProto {
	p := mutationHead(row, m)
	n := len(m.Cells)
	// One allocation each for all cells of the mutation.
	values, ptrs, stamps := make([]qualifierValue, n), make([]*qualifierValue, n), make([]uint64, n)
	var cv *columnValue
	for i := range m.Cells {
		c := &m.Cells[i]
		if cv == nil || string(cv.Family) != string(c.Family) {
			cv = &columnValue{Family: c.Family, QualifierValue: ptrs[i:i:n]}
			p.ColumnValue = append(p.ColumnValue, cv)
		}
		q := &values[i]
		q.Qualifier = nonNil(c.Qualifier)
		if m.Kind == KindDelete {
			d, _ := deleteType(c.Type)
			q.DeleteType = d.Enum()
		} else {
			q.Value = nonNil(c.Value) // must be there, also when it is empty
		}
		if c.Timestamp != LatestTimestamp {
			stamps[i] = uint64(c.Timestamp)
			q.Timestamp = &stamps[i]
		}
		cv.QualifierValue = append(cv.QualifierValue, q)
	}
	return p
}

// blockMutation carries its cells in the cell block, which it adds to.
func blockMutation(row []byte, m *Mutation, block []byte) (*pb.MutationProto, []byte) {
	p := mutationHead(row, m)
	p.AssociatedCellCount = proto.Int32(int32(len(m.Cells)))
	for i := range m.Cells {
		c := m.Cells[i]
		if c.Type == 0 {
			c.Type = CellPut
		}
		block = appendCell(block, row, &c)
	}
	return p, block
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// pbCondition always carries the comparison and a BinaryComparator: without them servers read other things.
func pbCondition(row []byte, c *Condition) (*pb.Condition, error) {
	p := &pb.Condition{
		Row: row, Family: c.Family, Qualifier: nonNil(c.Qualifier),
		CompareType: comparePtrs[c.Op], Comparator: emptyComparator,
	}
	if len(c.Value) > 0 {
		value, err := proto.Marshal(&pb.BinaryComparator{Comparable: &pb.ByteArrayComparable{Value: c.Value}})
		if err != nil {
			return nil, err
		}
		p.Comparator = &pb.Comparator{Name: comparatorName, SerializedComparator: value}
	}
	if c.From != 0 || c.To != 0 {
		to := uint64(c.To)
		if to == 0 {
			to = math.MaxInt64
		}
		p.TimeRange = &pb.TimeRange{From: proto.Uint64(uint64(c.From)), To: &to}
	}
	return p, nil
}

// writeSize is about how many bytes a RowWrite takes in a call.
func writeSize(w *RowWrite) int {
	n := 64 + len(w.Row)
	for i := range w.Mutations {
		n += 32 + len(w.Row)
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
