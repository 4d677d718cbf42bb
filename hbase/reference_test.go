package hbase

import (
	"encoding/binary"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// The requests of the write path as protobuf messages. The client writes them by hand; tests compare the two, and
// make by these what the client never sends.

// pbMutation is a mutation with its cells inline.
func pbMutation(row []byte, m *Mutation) *pb.MutationProto {
	p := pbMutationHead(row, m)
	var cv *pb.MutationProto_ColumnValue
	for i := range m.Cells {
		c := &m.Cells[i]
		if cv == nil || string(cv.Family) != string(c.Family) {
			cv = &pb.MutationProto_ColumnValue{Family: c.Family}
			p.ColumnValue = append(p.ColumnValue, cv)
		}
		q := &pb.MutationProto_ColumnValue_QualifierValue{Qualifier: append([]byte{}, c.Qualifier...)}
		if m.Kind == KindDelete {
			d, _ := deleteType(c.Type)
			q.DeleteType = d.Enum()
		} else {
			q.Value = append([]byte{}, c.Value...)
		}
		if c.Timestamp != LatestTimestamp {
			q.Timestamp = proto.Uint64(uint64(c.Timestamp))
		}
		cv.QualifierValue = append(cv.QualifierValue, q)
	}
	return p
}

// pbBlockMutation is a mutation whose cells are in the cell block.
func pbBlockMutation(row []byte, m *Mutation) *pb.MutationProto {
	p := pbMutationHead(row, m)
	p.AssociatedCellCount = proto.Int32(int32(len(m.Cells)))
	return p
}

func pbMutationHead(row []byte, m *Mutation) *pb.MutationProto {
	p := &pb.MutationProto{Row: row, MutateType: pb.MutationProto_MutationType(m.Kind).Enum(), Durability: pb.MutationProto_SYNC_WAL.Enum()}
	if m.HasTTL {
		p.Attribute = []*pb.NameBytesPair{{Name: proto.String("_ttl"), Value: binary.BigEndian.AppendUint64(nil, uint64(m.TTL))}}
	}
	if m.Kind == KindIncrement || m.Kind == KindAppend {
		p.Attribute = append(p.Attribute, &pb.NameBytesPair{Name: proto.String("_rr_"), Value: []byte{0}})
	}
	if m.Visibility != "" {
		cellVisibility := append([]byte{0x0a, byte(len(m.Visibility))}, m.Visibility...) // its one field; the text is short
		p.Attribute = append(p.Attribute, &pb.NameBytesPair{Name: proto.String("VISIBILITY"), Value: cellVisibility})
	}
	return p
}

func pbCondition(t testing.TB, row []byte, c *Condition) *pb.Condition {
	p := &pb.Condition{
		Row: row, Family: c.Family, Qualifier: append([]byte{}, c.Qualifier...), CompareType: pb.CompareType(c.Op).Enum(),
		Comparator: &pb.Comparator{
			Name:                 proto.String("org.apache.hadoop.hbase.filter.BinaryComparator"),
			SerializedComparator: pbBytes(t, &pb.BinaryComparator{Comparable: &pb.ByteArrayComparable{Value: append([]byte{}, c.Value...)}}),
		},
	}
	if c.From != 0 || c.To != 0 {
		p.TimeRange = &pb.TimeRange{From: proto.Uint64(uint64(c.From)), To: proto.Uint64(uint64(c.To))}
		if c.To == 0 {
			p.TimeRange.To = proto.Uint64(math.MaxInt64)
		}
	}
	return p
}

func pbBytes(t testing.TB, m proto.Message) []byte {
	t.Helper()
	raw, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// pbMulti is the call of ModeRow and of ModeBatch, and its cell block.
func pbMulti(t testing.TB, call []piece, rows []RowWrite) (req *pb.MultiRequest, block []byte) {
	req = &pb.MultiRequest{}
	inBlock := func(index int, row []byte, m *Mutation) *pb.Action {
		for _, c := range m.Cells {
			if c.Type == 0 {
				c.Type = CellPut
			}
			block = appendCell(block, row, &c)
		}
		return &pb.Action{Index: proto.Uint32(uint32(index)), Mutation: pbBlockMutation(row, m)}
	}
	for _, p := range call {
		if p.shared > 0 {
			a := &pb.RegionAction{Region: p.region.specifier()}
			for i, x := range p.idx[:p.shared] {
				a.Action = append(a.Action, inBlock(i, rows[x].Row, &rows[x].Mutations[0]))
			}
			req.RegionAction = append(req.RegionAction, a)
		}
		for _, x := range p.idx[p.shared:] {
			row := &rows[x]
			a := &pb.RegionAction{Region: p.region.specifier(), Atomic: proto.Bool(true)}
			if row.Condition != nil {
				a.Condition = pbCondition(t, row.Row, row.Condition)
			}
			for i := range row.Mutations {
				m := &row.Mutations[i]
				if row.Condition != nil {
					a.Action = append(a.Action, &pb.Action{Index: proto.Uint32(uint32(i)), Mutation: pbMutation(row.Row, m)})
				} else {
					a.Action = append(a.Action, inBlock(i, row.Row, m))
				}
			}
			req.RegionAction = append(req.RegionAction, a)
		}
	}
	return req, block
}

// pbMutateRows is the transaction of ModeRegion.
func pbMutateRows(t testing.TB, p piece, rows []RowWrite) *pb.MutateRowsRequest {
	req := &pb.MutateRowsRequest{}
	for _, x := range p.idx {
		row := &rows[x]
		if row.Condition != nil {
			req.Condition = append(req.Condition, pbCondition(t, row.Row, row.Condition))
		}
		for i := range row.Mutations {
			req.MutationRequest = append(req.MutationRequest, pbMutation(row.Row, &row.Mutations[i]))
		}
	}
	return req
}

// pbExecService is the call that carries a transaction.
func pbExecService(t testing.TB, r *Region, row []byte, req *pb.MutateRowsRequest) *pb.CoprocessorServiceRequest {
	return &pb.CoprocessorServiceRequest{
		Region: r.specifier(),
		Call: &pb.CoprocessorServiceCall{
			Row: row, ServiceName: proto.String("MultiRowMutationService"), MethodName: proto.String("MutateRows"), Request: pbBytes(t, req),
		},
	}
}
