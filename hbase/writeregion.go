package hbase

import (
	"context"
	"fmt"

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

// mutateRows makes the call. Conditions and mutations come in row order, which is the order of the row locks.
func (w *writer) mutateRows(p piece) WriteResult {
	req := &pb.MutateRowsRequest{MutationRequest: make([]*pb.MutationProto, 0, len(p.idx))}
	for _, x := range p.idx {
		row := &w.rows[x]
		if row.Condition != nil {
			cond, err := pbCondition(row.Row, row.Condition)
			if err != nil {
				return failed(&Error{Fault: FaultRow, Err: fmt.Errorf("encoding a condition: %w", err)})
			}
			req.Condition = append(req.Condition, cond)
		}
		for i := range row.Mutations {
			req.MutationRequest = append(req.MutationRequest, inlineMutation(row.Row, &row.Mutations[i]))
		}
	}
	var resp pb.MutateRowsResponse
	first := w.rows[p.idx[0]].Row
	err := w.c.execService(w.ctx, p.region, first, multiRowService, "MutateRows", w.size([]piece{p}), req, &resp)
	switch {
	case err != nil:
		return failed(errWhile(err, "writing %d rows of %s from row %x on", len(p.idx), w.table, first))
	case resp.GetProcessed(), resp.Processed == nil && len(req.Condition) == 0:
		return WriteResult{Outcome: Applied}
	case resp.Processed == nil:
		return WriteResult{Unknown, errUnsupported(p.region, "conditions in MutateRows need HBase 2.5, or a late 2.4")}
	}
	return WriteResult{Outcome: Refused}
}

// execService calls a coprocessor of a region, once. size counts against the server's bytes in flight.
func (c *Client) execService(ctx context.Context, r *Region, row []byte, service, method string, size int, req, resp proto.Message) error {
	raw, err := proto.Marshal(req)
	if err != nil {
		return &Error{Fault: FaultRow, Err: fmt.Errorf("encoding %s: %w", method, err)}
	}
	answer, err := c.callRegion(ctx, r, size, &request{method: "ExecService", param: &pb.CoprocessorServiceRequest{
		Region: r.specifier(),
		Call:   &pb.CoprocessorServiceCall{Row: row, ServiceName: &service, MethodName: &method, Request: raw},
	}})
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
