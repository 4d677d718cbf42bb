package hbase

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

const methodMulti = "Multi"

// sendRows sends one Multi: a RegionAction per row, each atomic and under its own condition, so that each row
// stands alone. The server goes through them in order, in one thread.
func (w *writer) sendRows(addr string, call []piece) {
	var all []int
	for _, p := range call {
		all = append(all, p.idx...)
	}
	s := w.c.pool.server(addr)
	if err := s.slotFor(w.ctx); err != nil {
		w.refuse(all, err)
		return
	}
	m, err := w.multi(call, all)
	if err != nil {
		s.slotDone()
		w.refuse(all, err)
		return
	}
	results := w.exchange(addr, call, len(all), m)
	s.slotDone()
	w.done(all, results)
}

// multi builds the request. Conditional rows carry their cells inline: a server that fails half way through one
// of them would lose its place in the cell block.
func (w *writer) multi(call []piece, all []int) (*request, error) {
	actions := make([]*pb.RegionAction, 0, len(all))
	var block []byte
	for _, p := range call {
		spec := p.region.specifier()
		for _, x := range p.idx {
			row := &w.rows[x]
			a := &pb.RegionAction{Region: spec, Atomic: yes, Action: make([]*pb.Action, len(row.Mutations))}
			if row.Condition != nil {
				cond, err := pbCondition(row.Row, row.Condition)
				if err != nil {
					return nil, &Error{Fault: FaultRow, Err: fmt.Errorf("encoding a condition: %w", err)}
				}
				a.Condition = cond
			}
			for i := range row.Mutations {
				mu := &row.Mutations[i]
				act := &pb.Action{Index: proto.Uint32(uint32(i))}
				if row.Condition != nil {
					act.Mutation = inlineMutation(row.Row, mu)
				} else {
					act.Mutation, block = blockMutation(row.Row, mu, block)
				}
				a.Action[i] = act
			}
			actions = append(actions, a)
		}
	}
	return &request{method: methodMulti, param: &pb.MultiRequest{RegionAction: actions}, cells: block}, nil
}

// exchange sends the Multi and reads a result for each of its n rows, in order.
func (w *writer) exchange(addr string, call []piece, n int, req *request) []WriteResult {
	resp, err := w.c.pool.call(w.ctx, addr, clientService, w.size(call), req)
	var m pb.MultiResponse
	if err == nil {
		err = decodeBody(resp, req.method, &m)
	}
	if err == nil && len(m.RegionActionResult) != n {
		err = &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("writing to %s on %s: %d results for %d rows", w.table, addr, len(m.RegionActionResult), n)}
	}
	out := make([]WriteResult, 0, n)
	for _, p := range call {
		if err != nil {
			w.c.learn(w.ctx, p.region, err)
		}
		var told bool // a region's failure is the same for all its rows
		for _, x := range p.idx {
			var res WriteResult
			if err != nil {
				res = failed(err)
			} else {
				res = w.rowResult(p.region, &w.rows[x], m.RegionActionResult[len(out)])
			}
			if e := asError(res.Err); err == nil && e != nil && !told {
				w.c.learn(w.ctx, p.region, e)
				told = e.Fault == FaultRelocate
			}
			out = append(out, res)
		}
	}
	return out
}

func failed(err error) WriteResult {
	if FaultOf(err) == FaultAmbiguous {
		return WriteResult{Unknown, err}
	}
	return WriteResult{Refused, err}
}

// rowResult reads one RegionActionResult of an atomic or conditional row.
func (w *writer) rowResult(r *Region, row *RowWrite, res *pb.RegionActionResult) WriteResult {
	x := res.Exception
	for _, roe := range res.ResultOrException {
		if x == nil {
			x = roe.Exception
		}
	}
	switch {
	case x != nil:
		return failed(errWhile(pairError(x), "writing row %x of %s on %s", row.Row, r.Table, r.Addr))
	case res.Processed == nil && row.Condition != nil:
		return WriteResult{Unknown, errUnsupported(r, "conditions in Multi need HBase 2.4")}
	case res.GetProcessed():
		return WriteResult{Outcome: Applied}
	case res.Processed == nil && len(res.ResultOrException) == len(row.Mutations):
		return WriteResult{Outcome: Applied} // before 2.4, which knew no "processed"
	case row.Condition == nil:
		return failed(&Error{Fault: FaultAmbiguous, Err: fmt.Errorf(
			"writing row %x of %s on %s: the server neither applied nor refused it", row.Row, r.Table, r.Addr)})
	}
	return WriteResult{Outcome: Refused}
}
