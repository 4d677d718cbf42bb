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
		if f.Kind == MoveInside && i == f.From && s.c.moveAway(s, a.GetRegion()) {
			s.c.bites.add(MoveInside)
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
		onlyGets := !slices.ContainsFunc(a.Action, func(act *pb.Action) bool { return act.Get == nil })
		if b := k.recall(a.GetRegion()); b != nil && onlyGets {
			return s.plainActions(k, b, a, res, block)
		}
		return nil, nil, x
	}
	if a.GetAtomic() || a.Condition != nil {
		x, fatal := s.wholeAction(k, a, res)
		if x != nil {
			res.Exception = x.pair()
		}
		return res, block, fatal
	}
	b, x := s.batchOn(k, a.GetRegion())
	if x != nil {
		k.block.skip(a)
		res.Exception = x.pair()
		return res, block, nil
	}
	return s.plainActions(k, b, a, res, block)
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
		if x = cmp.Or(x, m.failure, m.tooLarge(b.r)); x != nil {
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
func (s *server) plainActions(k *call, b *batch, a *pb.RegionAction, res *pb.RegionActionResult, block []byte) (*pb.RegionActionResult, []byte, *exception) {
	answer := func(index *uint32, r *pb.Result, x *exception) *pb.ResultOrException {
		roe := &pb.ResultOrException{Index: index, Result: r}
		if x != nil {
			roe.Result, roe.Exception = nil, x.pair()
		}
		res.ResultOrException = append(res.ResultOrException, roe)
		return roe
	}
	var held []*pb.Action
	flush := func() *exception {
		all, fatal := s.plainBatch(k, b, held)
		for _, p := range all {
			answer(p.index, &pb.Result{}, p.m.failure)
		}
		held = nil
		return fatal
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
			v, x := s.callService(k, &batch{t: b.t, r: b.r, now: b.now, stamp: b.now}, act.ServiceCall)
			roe := answer(act.Index, nil, x)
			if x == nil {
				roe.ServiceResult = &pb.CoprocessorServiceResult{Value: v}
			}
		case act.Mutation.GetMutateType() == pb.MutationProto_PUT, act.Mutation.GetMutateType() == pb.MutationProto_DELETE:
			held = append(held, act)
		case act.Mutation != nil:
			if x := flush(); x != nil {
				return nil, nil, x
			}
			m, x := readMutation(act.Mutation, k.block, b.t)
			if x != nil && x.class == "java.io.IOException" {
				return nil, nil, x
			}
			m.failure = cmp.Or(m.failure, x)
			one := &batch{t: b.t, r: b.r, now: b.now, stamp: b.now}
			results, x := s.atomic(one, []mutation{m})
			roe := answer(act.Index, nil, x)
			if x == nil {
				roe.Result, block = k.conn.result(results[0], block)
			}
		}
	}
	if x := flush(); x != nil {
		return nil, nil, x
	}
	return res, block, nil
}

// plainBatch applies puts and deletes sorted by row. Each stands alone, but for one that can't be read or holds a cell
// that is too large: that fails them all. The failure of each is left in it; the exception is the whole call's.
func (s *server) plainBatch(k *call, b *batch, held []*pb.Action) ([]plain, *exception) {
	var all []plain
	var whole *exception
	for _, act := range held {
		m, x := readMutation(act.Mutation, k.block, b.t)
		if x != nil && x.class == "java.io.IOException" {
			return nil, x
		}
		whole = cmp.Or(whole, x, m.failure, m.tooLarge(b.r))
		all = append(all, plain{act.Index, m})
	}
	if whole == nil && k.late() {
		whole = throw("exceptions.TimeoutIOException", "Timed out waiting for lock for row in region %s", b.r.encoded)
	}
	if whole == nil {
		slices.SortStableFunc(all, func(x, y plain) int { return bytes.Compare(x.m.row, y.m.row) })
	}
	for i := range all {
		m := &all[i].m
		if m.failure = whole; whole == nil {
			_, m.failure = s.atomic(&batch{t: b.t, r: b.r, now: b.now, stamp: b.now}, []mutation{*m})
		}
	}
	return all, nil
}

func (s *server) getLocked(b *batch, g *pb.Get) ([]hbase.Cell, *exception) {
	if !b.r.contains(g.Row) {
		return nil, b.r.outOfRange("regionserver.WrongRegionException", "Get", g.Row)
	}
	if x := b.t.checkColumns(b.r, g.Column); x != nil {
		return nil, x
	}
	return b.t.readRow(g.Row, wanted(g), b.now), nil
}
