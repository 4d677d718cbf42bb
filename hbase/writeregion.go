package hbase

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// multiRowService goes by its short name; the one with its package in front is refused.
const multiRowService = "MultiRowMutationService"

// sendRegion sends rows of one region as one MutateRows: all of them under all their conditions, or none.
func (w *writer) sendRegion(p piece) {
	s := w.c.pool.server(p.region.Addr)
	if err := s.slotFor(w.ctx); err != nil {
		w.refuse(p.idx, err)
		return
	}
	res := w.mutateRows(p)
	s.slotDone()
	w.settle(p.idx, res.Outcome, res.Err)
}

// mutateRows makes the call.
func (w *writer) mutateRows(p piece) WriteResult {
	var resp pb.MutateRowsResponse
	first := w.rows[p.idx[0]].Row
	err := w.c.execService(w.ctx, p.region, w.size(p), func(f *frame) int { w.encodeRegion(f, p); return 0 }, &resp)
	switch {
	case err != nil:
		return failed(errWhile(err, "writing %d rows of %s from row %x on", len(p.idx), w.table, first))
	case resp.GetProcessed(), resp.Processed == nil && !w.conditional(p.idx):
		return WriteResult{Outcome: Applied}
	case resp.Processed == nil:
		return WriteResult{Unknown, errUnsupported(p.region, "conditions in MutateRows need HBase 2.5, or a late 2.4")}
	}
	return WriteResult{Outcome: Refused}
}

// conditional says whether any of the rows has a condition.
func (w *writer) conditional(idx []int) bool {
	return slices.ContainsFunc(idx, func(x int) bool { return w.rows[x].Condition != nil })
}

// encodeRegion writes a CoprocessorServiceRequest with a MutateRowsRequest in it. Conditions and mutations come in
// row order, which is the order of the row locks.
func (w *writer) encodeRegion(f *frame, p piece) {
	end := f.len()
	for _, x := range slices.Backward(p.idx) {
		if row := &w.rows[x]; row.Condition != nil {
			f.condition(5, row.Row, row.Condition)
		}
	}
	for _, x := range slices.Backward(p.idx) {
		row := &w.rows[x]
		for i := range slices.Backward(row.Mutations) {
			f.mutation(1, row.Row, &row.Mutations[i], true)
		}
	}
	f.nest(4, end)
	f.textField(3, "MutateRows")
	f.textField(2, multiRowService)
	f.bytesField(1, w.rows[p.idx[0]].Row)
	f.nest(2, end)
	f.region(1, p.region)
}

// execService calls a coprocessor of a region, once. size counts against the server's bytes in flight.
func (c *Client) execService(ctx context.Context, r *Region, size int, body func(*frame) int, resp proto.Message) error {
	const method = "ExecService"
	answer, err := c.callRegion(ctx, r, size, &request{method: method, body: body, size: size})
	if err != nil {
		return err
	}
	var m pb.CoprocessorServiceResponse
	if err := decodeBody(answer, method, &m); err != nil {
		return err
	}
	if err := proto.Unmarshal(m.GetValue().GetValue(), resp); err != nil {
		return &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("decoding the answer of %s: %w", method, err)}
	}
	return nil
}
