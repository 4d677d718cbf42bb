package hbasetest

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// mutation is one put, delete, increment or append as it came.
type mutation struct {
	row      []byte
	kind     pb.MutationProto_MutationType
	cells    []hbase.Cell
	ts       int64 // of a delete without cells
	ttl      int64
	hasTTL   bool
	from, to int64 // what an increment or append reads
	unlogged bool  // its durability, with that of the table, is below SYNC_WAL
	results  bool
	failure  *exception // it can't be read; thrown when its turn comes
}

const maxRow = 32767

// readMutation takes a mutation apart, its cells from the message or from the block. What the server can't make
// sense of fails the whole call, as an unchecked exception does; a cell of another row fails its action only.
func readMutation(p *pb.MutationProto, block *cellBlock, t *table) (mutation, *exception) {
	m := mutation{
		row: p.Row, kind: p.GetMutateType(), ts: hbase.LatestTimestamp, to: endOfTime, results: true,
		unlogged: unlogged(p.GetDurability(), t),
	}
	if p.Timestamp != nil {
		m.ts = int64(p.GetTimestamp())
	}
	for _, a := range p.Attribute {
		switch {
		case a.GetName() == "_ttl" && len(a.Value) == 8:
			m.ttl, m.hasTTL = int64(binary.BigEndian.Uint64(a.Value)), true
		case a.GetName() == "_rr_" && len(a.Value) == 1:
			m.results = a.Value[0] != 0
		}
	}
	if tr := timeRangeOf(unknownField(p, 7)); tr != nil {
		m.from, m.to = bounds(tr)
	}
	for range p.GetAssociatedCellCount() {
		c, err := block.next()
		if err != nil {
			return m, throwFinal("DoNotRetryIOException", "%v", err)
		}
		if string(c.Row) != string(m.row) && m.failure == nil {
			m.failure = throwFinal("client.WrongRowIOException", "The row in cell doesn't match the original one %q", m.row)
		}
		m.cells = append(m.cells, c)
	}
	for _, cv := range p.ColumnValue {
		for _, q := range cv.QualifierValue {
			c, x := m.inlineCell(cv.Family, q)
			if x != nil {
				return m, x
			}
			m.cells = append(m.cells, c)
		}
	}
	return m, m.check()
}

func (m *mutation) inlineCell(family []byte, q *pb.MutationProto_ColumnValue_QualifierValue) (hbase.Cell, *exception) {
	c := hbase.Cell{Row: m.row, Family: family, Qualifier: q.Qualifier, Value: q.Value, Timestamp: hbase.LatestTimestamp, Type: hbase.CellPut}
	if m.kind != pb.MutationProto_DELETE {
		c.Timestamp = m.ts
	}
	if q.Timestamp != nil {
		c.Timestamp = int64(q.GetTimestamp())
	}
	if m.kind != pb.MutationProto_DELETE {
		if q.Value == nil {
			return c, throwFinal("DoNotRetryIOException", "Missing required field: qualifier value")
		}
		return c, nil
	}
	c.Value = nil
	switch q.GetDeleteType() {
	case pb.MutationProto_DELETE_ONE_VERSION:
		c.Type = hbase.CellDelete
	case pb.MutationProto_DELETE_MULTIPLE_VERSIONS:
		c.Type = hbase.CellDeleteColumn
	case pb.MutationProto_DELETE_FAMILY:
		c.Type = hbase.CellDeleteFamily
	default:
		c.Type = hbase.CellDeleteFamilyVersion
	}
	return c, nil
}

// check throws what HBase's client classes throw on the server while they are built.
func (m *mutation) check() *exception {
	if len(m.row) == 0 || len(m.row) > maxRow {
		return throwPlain("java.lang.IllegalArgumentException: Row length %d is not in 1..%d", len(m.row), maxRow)
	}
	for i := range m.cells {
		c := &m.cells[i]
		switch {
		case len(c.Family) == 0:
			return throwPlain("java.lang.IllegalArgumentException: family is empty")
		case c.Timestamp < 0:
			return throwPlain("java.lang.IllegalArgumentException: Timestamp cannot be negative. ts=%d", c.Timestamp)
		}
	}
	return nil
}

func unlogged(d pb.MutationProto_Durability, t *table) bool {
	switch d {
	case pb.MutationProto_SKIP_WAL, pb.MutationProto_ASYNC_WAL:
		return true
	case pb.MutationProto_USE_DEFAULT:
		s := t.schema.Durability()
		return s == "SKIP_WAL" || s == "ASYNC_WAL"
	}
	return false
}

// maxCell is hbase.server.keyvalue.maxsize.
const maxCell = 10485760

// tooLarge checks a mutation's cells as the Multi and Mutate paths do; the coprocessor's path does not.
func (m *mutation) tooLarge(r *region) *exception {
	for i := range m.cells {
		c := &m.cells[i]
		if n := kvSize(m.row, c.Family, c.Qualifier, c.Value) + 4; n > maxCell {
			return throwFinal("DoNotRetryIOException", "Cell of row %q with size %d exceeds limit of %d bytes in region %s", m.row, n, maxCell, r.encoded)
		}
	}
	return nil
}

// bounds are those of a time range, of nil all of time.
func bounds(tr *pb.TimeRange) (from, to int64) {
	to = endOfTime
	if tr != nil && tr.To != nil {
		to = int64(tr.GetTo())
	}
	return int64(tr.GetFrom()), to
}

// unknownField finds a field that package pb leaves out, because the client never sends it.
func unknownField(m proto.Message, number protowire.Number) []byte {
	b := m.ProtoReflect().GetUnknown()
	for len(b) > 0 {
		n, typ, size := protowire.ConsumeField(b)
		if size < 0 {
			return nil
		}
		if n == number {
			_, _, tag := protowire.ConsumeTag(b)
			value := b[tag:size]
			if typ == protowire.BytesType {
				value, _ = protowire.ConsumeBytes(value)
			}
			return value
		}
		b = b[size:]
	}
	return nil
}

func unknownVarint(m proto.Message, number protowire.Number) uint64 {
	v, n := protowire.ConsumeVarint(unknownField(m, number))
	if n < 0 {
		return 0
	}
	return v
}

func timeRangeOf(raw []byte) *pb.TimeRange {
	if raw == nil {
		return nil
	}
	tr := new(pb.TimeRange)
	if proto.Unmarshal(raw, tr) != nil {
		return nil
	}
	return tr
}
