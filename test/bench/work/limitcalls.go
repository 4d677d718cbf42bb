package work

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// transactionFrame is an ExecService of MutateRows: the rows with their marks, under their conditions.
func transactionFrame(r *hbase.Region, rows []int, k Kind) ([]byte, error) {
	var m pb.MutateRowsRequest
	for _, row := range rows {
		w := Row(row, k)
		m.MutationRequest = append(m.MutationRequest, inlinePut(&w))
		c, err := conditionOf(&w)
		if err != nil {
			return nil, err
		}
		m.Condition = append(m.Condition, c)
	}
	m.Region = specifier(r)
	raw, err := proto.Marshal(&m)
	if err != nil {
		return nil, fmt.Errorf("encoding a transaction: %w", err)
	}
	return frame(header("ExecService", 0), &pb.CoprocessorServiceRequest{
		Region: specifier(r),
		Call: &pb.CoprocessorServiceCall{
			Row: Key(rows[0]), ServiceName: proto.String("MultiRowMutationService"), MethodName: proto.String("MutateRows"), Request: raw,
		},
	}, nil)
}

// rowsFrame is a Multi with a RegionAction for each row, under its condition.
func rowsFrame(r *hbase.Region, rows []int, k Kind) ([]byte, error) {
	var m pb.MultiRequest
	for _, row := range rows {
		w := Row(row, k)
		c, err := conditionOf(&w)
		if err != nil {
			return nil, err
		}
		m.RegionAction = append(m.RegionAction, &pb.RegionAction{
			Region: specifier(r), Atomic: proto.Bool(true), Condition: c,
			Action: []*pb.Action{{Index: proto.Uint32(0), Mutation: inlinePut(&w)}},
		})
	}
	return frame(header("Multi", 0), &m, nil)
}

func header(method string, cells int) *pb.RequestHeader {
	h := &pb.RequestHeader{CallId: proto.Uint32(1), MethodName: &method, RequestParam: proto.Bool(true), Timeout: proto.Uint32(60_000)}
	if cells > 0 {
		h.CellBlockMeta = &pb.CellBlockMeta{Length: proto.Uint32(uint32(cells))}
	}
	return h
}

func specifier(r *hbase.Region) *pb.RegionSpecifier {
	return &pb.RegionSpecifier{Type: pb.RegionSpecifier_REGION_NAME.Enum(), Value: r.Name}
}

// inlinePut is the row's put, with its cells in the message.
func inlinePut(w *hbase.RowWrite) *pb.MutationProto {
	m := &pb.MutationProto{Row: w.Row, MutateType: pb.MutationProto_PUT.Enum(), Durability: pb.MutationProto_SYNC_WAL.Enum()}
	for _, c := range w.Mutations[0].Cells {
		last := len(m.ColumnValue) - 1
		if last < 0 || string(m.ColumnValue[last].Family) != string(c.Family) {
			m.ColumnValue = append(m.ColumnValue, &pb.MutationProto_ColumnValue{Family: c.Family})
			last++
		}
		m.ColumnValue[last].QualifierValue = append(m.ColumnValue[last].QualifierValue, &pb.MutationProto_ColumnValue_QualifierValue{
			Qualifier: c.Qualifier, Value: c.Value, Timestamp: proto.Uint64(uint64(c.Timestamp)),
		})
	}
	return m
}

func conditionOf(w *hbase.RowWrite) (*pb.Condition, error) {
	nothing, err := proto.Marshal(&pb.BinaryComparator{Comparable: &pb.ByteArrayComparable{Value: []byte{}}})
	if err != nil {
		return nil, fmt.Errorf("encoding a comparison: %w", err)
	}
	c := w.Condition
	return &pb.Condition{
		Row: w.Row, Family: c.Family, Qualifier: c.Qualifier, CompareType: pb.CompareType(c.Op).Enum(),
		Comparator: &pb.Comparator{Name: proto.String("org.apache.hadoop.hbase.filter.BinaryComparator"), SerializedComparator: nothing},
		TimeRange:  &pb.TimeRange{From: proto.Uint64(uint64(c.From)), To: proto.Uint64(math.MaxInt64)},
	}, nil
}
