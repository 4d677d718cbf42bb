package hbasetest

import (
	"bytes"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// holds evaluates a condition on the state as it is, and gives the timestamp of the cell it read, 0 for none.
// lax is the way of MultiRowMutationEndpoint, where an empty expected value means "absent or empty" whatever the
// comparison.
func (b *batch) holds(c *pb.Condition, lax bool) (bool, int64, *exception) {
	if unknownField(c, 7) != nil {
		return false, 0, throwFinal("DoNotRetryIOException", "hbasetest serves no conditions by filter")
	}
	if b.t.families[string(c.Family)] == nil {
		return false, 0, b.t.noFamily(b.r, c.Family)
	}
	if c.Comparator == nil {
		return false, 0, throwPlain("java.lang.ClassNotFoundException: ")
	}
	var cmp pb.BinaryComparator
	if err := proto.Unmarshal(c.Comparator.SerializedComparator, &cmp); err != nil {
		return false, 0, throwFinal("exceptions.DeserializationException", "%v", err)
	}
	want, op := cmp.GetComparable().GetValue(), c.GetCompareType()
	from, to := bounds(c.GetTimeRange())
	found := b.read(c.Row, string(c.Family), string(c.Qualifier), 1, from, to)
	if len(found) == 0 {
		return len(want) == 0 && (lax || op != pb.CompareType_NOT_EQUAL), 0, nil
	}
	cell := &found[0]
	if len(want) == 0 {
		empty := len(cell.value) == 0
		if lax {
			return empty, cell.ts, nil
		}
		return empty == (op != pb.CompareType_NOT_EQUAL), cell.ts, nil
	}
	return compares(op, bytes.Compare(want, cell.value)), cell.ts, nil
}

// compares: the expected value stands on the left.
func compares(op pb.CompareType, order int) bool {
	switch op {
	case pb.CompareType_LESS:
		return order < 0
	case pb.CompareType_LESS_OR_EQUAL:
		return order <= 0
	case pb.CompareType_EQUAL:
		return order == 0
	case pb.CompareType_NOT_EQUAL:
		return order != 0
	case pb.CompareType_GREATER_OR_EQUAL:
		return order >= 0
	case pb.CompareType_GREATER:
		return order > 0
	}
	return false
}
