package main

import (
	"bytes"
	"encoding/binary"
	"strings"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
	"rowmark/test/linear"
)

// sampled says whether a row's history is recorded.
func sampled(table, row string) bool {
	return table == "counts" && (row == "k0" || row == "k1" || row == "k2" || row == "total-0")
}

// begin records what a request begins, and gives what is to be done with its answer; nil: nothing.
func (t *tap) begin(m proto.Message) answerer {
	switch m := m.(type) {
	case *pb.GetRequest:
		return t.beginGet(m)
	case *pb.MultiRequest:
		return t.beginMulti(m)
	case *pb.CoprocessorServiceRequest:
		return t.beginTransaction(m)
	}
	return nil
}

func tableOf(r *pb.RegionSpecifier) string {
	name, _, _ := strings.Cut(string(r.GetValue()), ",")
	return name
}

// beginGet records the reading of a checkpoint.
func (t *tap) beginGet(m *pb.GetRequest) answerer {
	source := string(m.GetGet().GetRow())
	if tableOf(m.Region) != "rowmark" || !strings.Contains(source, "/") {
		return nil
	}
	call, span := t.w.registers.Read(t.p.id, source), t.w.wakes.span()
	return func(_ *pb.ResponseHeader, body, cells []byte) {
		var resp pb.GetResponse
		if proto.Unmarshal(body, &resp) != nil {
			t.garbled("the answer to a get")
			return
		}
		value, ok := position(&resp, cells)
		if !ok {
			t.garbled("a cell block")
			return
		}
		if !span.doubtful() {
			call.Got(value)
		}
		t.p.fences.read(source, value)
	}
}

// position is the value of the compared cell, in the message or in the cell block.
func position(resp *pb.GetResponse, block []byte) (value []byte, ok bool) {
	for _, c := range resp.GetResult().GetCell() {
		if string(c.Qualifier) == "position" {
			return c.Value, true
		}
	}
	for len(block) > 0 {
		// Lengths of the whole, of key and of value; in the key the row's length, row, the family's length, family,
		// qualifier, timestamp, type.
		if len(block) < 14 {
			return nil, false
		}
		all, key, val := int(binary.BigEndian.Uint32(block)), int(binary.BigEndian.Uint32(block[4:])), int(binary.BigEndian.Uint32(block[8:]))
		if all != 8+key+val || len(block) < 4+all {
			return nil, false
		}
		k := block[12 : 12+key]
		row := int(binary.BigEndian.Uint16(k))
		family := int(k[2+row])
		if string(k[3+row+family:key-9]) == "position" {
			return block[12+key : 12+key+val], true
		}
		block = block[4+all:]
	}
	return nil, true
}

// beginMulti records the conditional rows of a Multi, which stand alone.
func (t *tap) beginMulti(m *pb.MultiRequest) answerer {
	ends := make([]func(linear.Outcome), len(m.RegionAction))
	some := false
	for i, a := range m.RegionAction {
		if a.Condition == nil {
			continue
		}
		var muts []*pb.MutationProto
		for _, act := range a.Action {
			muts = append(muts, act.Mutation)
		}
		ends[i] = t.beginRow(tableOf(a.Region), a.Condition, muts)
		some = some || ends[i] != nil
	}
	if !some {
		return nil
	}
	return func(_ *pb.ResponseHeader, body, _ []byte) {
		var resp pb.MultiResponse
		if proto.Unmarshal(body, &resp) != nil || len(resp.RegionActionResult) != len(ends) {
			t.garbled("the answer to a multi")
			return
		}
		for i, r := range resp.RegionActionResult {
			if ends[i] != nil && r.Exception == nil && r.Processed != nil {
				ends[i](outcome(r.GetProcessed(), linear.Refused))
			}
		}
	}
}

// beginTransaction records the rows of a region transaction. Refused says of one row of several only that it was not
// written.
func (t *tap) beginTransaction(m *pb.CoprocessorServiceRequest) answerer {
	var req pb.MutateRowsRequest
	if m.GetCall().GetMethodName() != "MutateRows" {
		return nil
	}
	if proto.Unmarshal(m.GetCall().GetRequest(), &req) != nil {
		t.garbled("a region transaction")
		return nil
	}
	var ends []func(linear.Outcome)
	for _, c := range req.Condition {
		var muts []*pb.MutationProto
		for _, mut := range req.MutationRequest {
			if bytes.Equal(mut.Row, c.Row) {
				muts = append(muts, mut)
			}
		}
		if end := t.beginRow(tableOf(m.Region), c, muts); end != nil {
			ends = append(ends, end)
		}
	}
	if ends == nil {
		return nil
	}
	refused := linear.Failed
	if len(req.Condition) == 1 {
		refused = linear.Refused
	}
	return func(_ *pb.ResponseHeader, body, _ []byte) {
		var outer pb.CoprocessorServiceResponse
		var resp pb.MutateRowsResponse
		if proto.Unmarshal(body, &outer) != nil || proto.Unmarshal(outer.GetValue().GetValue(), &resp) != nil {
			t.garbled("the answer to a region transaction")
			return
		}
		for _, end := range ends {
			end(outcome(resp.GetProcessed(), refused))
		}
	}
}

func outcome(processed bool, otherwise linear.Outcome) linear.Outcome {
	if processed {
		return linear.Applied
	}
	return otherwise
}

// beginRow records one conditional row: of the checkpoint table the swap of a position, of others a write under a
// mark, if the row is sampled; all letters are. It gives nil where there is nothing to wait for.
func (t *tap) beginRow(table string, c *pb.Condition, muts []*pb.MutationProto) func(linear.Outcome) {
	row, qualifier := string(c.Row), string(c.Qualifier)
	if table == "rowmark" {
		if qualifier != "position" {
			return nil
		}
		put := cellOf(muts, "c", "position").GetValue()
		call := t.w.registers.Swap(t.p.id, row, comparedWith(c), put)
		t.p.fences.swap(row, put)
		return func(o linear.Outcome) {
			call.Ended(o)
			t.p.fences.swapped(row, put, o)
		}
	}
	if late := t.p.fences.write(qualifier); late > 0 {
		t.w.fail(I7, "connector %d wrote row %s of table %s under %s, %s after it had read that another one took the partition", t.p.id, row, table, qualifier, late)
	}
	switch {
	case table == letterTable && strings.Contains(row, "/"): // it is never set back; the others are probes
		row = "letter " + row[2:] // without its hash
	case !sampled(table, row) || t.w.restored.Load():
		return nil
	}
	first := int64(c.GetTimeRange().GetFrom()) - 1
	next := int64(cellOf(muts, string(c.Family), qualifier).GetTimestamp())
	call := t.w.rows.Write(t.p.id, row, first, next, cellOf(muts, "l", "list").GetValue(), false)
	return call.Ended
}

// comparedWith is the value that a condition wants; empty: none.
func comparedWith(c *pb.Condition) []byte {
	var b pb.BinaryComparator
	if proto.Unmarshal(c.GetComparator().GetSerializedComparator(), &b) != nil {
		return nil
	}
	return b.GetComparable().GetValue()
}

func cellOf(muts []*pb.MutationProto, family, qualifier string) *pb.MutationProto_ColumnValue_QualifierValue {
	for _, m := range muts {
		for _, cv := range m.ColumnValue {
			for _, q := range cv.QualifierValue {
				if string(cv.Family) == family && string(q.Qualifier) == qualifier {
					return q
				}
			}
		}
	}
	return nil
}
