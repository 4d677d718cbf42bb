package hbasetest

import (
	"bytes"
	"cmp"
	"slices"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// multi runs RegionActions strictly in order, each seeing what those before it did. The lock is let go in between.
func (s *server) multi(k *call, r *pb.MultiRequest) (proto.Message, []byte, *exception) {
	resp := &pb.MultiResponse{}
	var block []byte
	f := k.fault
	for i, a := range r.RegionAction {
		if f.Kind == Abort && i >= f.From {
			s.c.bites.add(Abort)
			return nil, nil, f.exception()
		}
		var res *pb.RegionActionResult
		if f.Kind == Partial && i >= f.From {
			if i == f.From {
				s.c.bites.add(Partial)
			}
			res = &pb.RegionActionResult{Exception: f.exception().pair()}
			k.block.skip(a)
		} else {
			var x *exception
			if res, block, x = s.regionAction(k, a, block); x != nil {
				return nil, nil, x
			}
		}
		resp.RegionActionResult = append(resp.RegionActionResult, res)
	}
	return resp, block, nil
}

// skip passes over the cells of a RegionAction that is not run.
func (b *cellBlock) skip(a *pb.RegionAction) {
	for _, act := range a.Action {
		for range act.GetMutation().GetAssociatedCellCount() {
			if _, err := b.next(); err != nil {
				return
			}
		}
	}
}

// regionAction runs one RegionAction. The exception is the whole call's.
func (s *server) regionAction(k *call, a *pb.RegionAction, block []byte) (*pb.RegionActionResult, []byte, *exception) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	res := &pb.RegionActionResult{}
	if x := k.alive(); x != nil {
		return nil, nil, x
	}
	if a.GetAtomic() || a.Condition != nil {
		x, fatal := s.wholeAction(k, a, res)
		if x != nil {
			res.Exception = x.pair()
		}
		return res, block, fatal
	}
	return s.plainActions(k, a, res, block)
}

// wholeAction runs an atomic or conditional RegionAction: results by position, in the message.
func (s *server) wholeAction(k *call, a *pb.RegionAction, res *pb.RegionActionResult) (x, fatal *exception) {
	b, x := s.batchOn(k, a.GetRegion())
	if x != nil {
		k.block.skip(a)
		return x, nil
	}
	var muts []mutation
	for i, act := range a.Action {
		if act.Mutation == nil {
			return throwFinal("DoNotRetryIOException", "Atomic put and/or delete only, not get"), nil
		}
		m, x := readMutation(act.Mutation, k.block, b.t)
		if x != nil && x.class == "java.io.IOException" {
			return nil, x
		}
		if x != nil {
			k.block.skip(&pb.RegionAction{Action: a.Action[i+1:]})
			return x, nil
		}
		muts = append(muts, m)
	}
	if k.late() {
		return throw("exceptions.TimeoutIOException", "Timed out waiting for lock for row: %s in region %s", muts[0].row, b.r.encoded), nil
	}
	processed := true
	var results [][]hbase.Cell
	if a.Condition != nil {
		processed, results, x = s.conditional(b, a.Condition, muts)
	} else {
		results, x = s.atomic(b, muts)
	}
	if x != nil {
		return x, nil
	}
	res.Processed = &processed
	for i := range a.Action {
		roe := &pb.ResultOrException{Index: proto.Uint32(uint32(i)), Result: &pb.Result{}}
		if i < len(results) {
			roe.Result = inlineResult(results[i])
		}
		res.ResultOrException = append(res.ResultOrException, roe)
	}
	return nil, nil
}

// plain is a put or delete that waits for the batch of its RegionAction.
type plain struct {
	index *uint32
	m     mutation
}

// plainActions runs actions one by one, gathering puts and deletes until something else comes or the end.
func (s *server) plainActions(k *call, a *pb.RegionAction, res *pb.RegionActionResult, block []byte) (*pb.RegionActionResult, []byte, *exception) {
	b, x := s.batchOn(k, a.GetRegion())
	if x != nil {
		k.block.skip(a)
		res.Exception = x.pair()
		return res, block, nil
	}
	answer := func(index *uint32, r *pb.Result, x *exception) *pb.ResultOrException {
		roe := &pb.ResultOrException{Index: index, Result: r}
		if x != nil {
			roe.Result, roe.Exception = nil, x.pair()
		}
		res.ResultOrException = append(res.ResultOrException, roe)
		return roe
	}
	var held []plain
	flush := func() {
		for _, p := range s.plainBatch(k, b, held) {
			answer(p.index, &pb.Result{}, p.m.failure)
		}
		held = nil
	}
	for _, act := range a.Action {
		switch {
		case act.Get != nil:
			cells, x := s.getLocked(b, act.Get)
			roe := answer(act.Index, nil, x)
			if x == nil {
				roe.Result, block = k.getResult(act.Get, cells, block)
			}
		case act.ServiceCall != nil:
			flush()
			v, x := s.callService(k, &batch{t: b.t, r: b.r, now: b.now, stamp: b.now}, act.ServiceCall)
			roe := answer(act.Index, nil, x)
			if x == nil {
				roe.ServiceResult = &pb.CoprocessorServiceResult{Value: v}
			}
		case act.Mutation != nil:
			m, x := readMutation(act.Mutation, k.block, b.t)
			if x != nil && x.class == "java.io.IOException" {
				return nil, nil, x
			}
			if x != nil {
				m.failure = cmp.Or(m.failure, x)
			}
			if m.kind == pb.MutationProto_PUT || m.kind == pb.MutationProto_DELETE {
				held = append(held, plain{act.Index, m})
				continue
			}
			flush()
			one := &batch{t: b.t, r: b.r, now: b.now, stamp: b.now}
			results, x := s.atomic(one, []mutation{m})
			roe := answer(act.Index, nil, x)
			if x == nil {
				roe.Result, block = k.conn.result(results[0], block)
			}
		}
	}
	flush()
	return res, block, nil
}

// plainBatch applies puts and deletes sorted by row. Each stands alone, but for a cell that is too large, which
// fails them all. The failure of each is left in it.
func (s *server) plainBatch(k *call, b *batch, all []plain) []plain {
	slices.SortStableFunc(all, func(x, y plain) int { return bytes.Compare(x.m.row, y.m.row) })
	var whole *exception
	for i := range all {
		whole = cmp.Or(whole, all[i].m.tooLarge(b.r))
	}
	if whole == nil && k.late() {
		whole = throw("exceptions.TimeoutIOException", "Timed out waiting for lock for row in region %s", b.r.encoded)
	}
	for i := range all {
		m := &all[i].m
		switch {
		case whole != nil:
			m.failure = whole
		case m.failure != nil:
		default:
			_, m.failure = s.atomic(&batch{t: b.t, r: b.r, now: b.now, stamp: b.now}, []mutation{*m})
		}
	}
	return all
}

func (s *server) getLocked(b *batch, g *pb.Get) ([]hbase.Cell, *exception) {
	if !b.r.contains(g.Row) {
		return nil, b.r.outOfRange("regionserver.WrongRegionException", "Get", g.Row)
	}
	if x := b.t.checkColumns(b.r, g.Column); x != nil {
		return nil, x
	}
	w := want{columns: g.Column, versions: max(int(g.GetMaxVersions()), 1)}
	w.from, w.to = bounds(g.GetTimeRange())
	return b.t.readRow(g.Row, w, b.now), nil
}
