package hbasetest

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// batchOn begins a batch on a region, or throws why the region takes none. Called under mu.
func (s *server) batchOn(k *call, spec *pb.RegionSpecifier) (*batch, *exception) {
	if x := k.alive(); x != nil {
		return nil, x
	}
	r, x := s.c.regionAt(s, spec)
	if x != nil {
		return nil, x
	}
	now := s.c.now(s)
	return &batch{t: s.c.tables[r.table], r: r, now: now, stamp: now}, nil
}

func (b *batch) writable() *exception {
	if b.t.readOnly() {
		return throwFinal("DoNotRetryIOException", "region is read only")
	}
	return nil
}

// commit prepares and applies mutations of one batch.
func (s *server) commit(b *batch, muts []mutation) ([][]hbase.Cell, *exception) {
	if x := b.writable(); x != nil {
		return nil, x
	}
	results, x := b.prepare(muts)
	if x != nil {
		return nil, x
	}
	s.c.seq++
	b.apply(s.c.seq)
	return results, nil
}

// conditional is a batch of one row under a condition, as checkAndMutate does it.
func (s *server) conditional(b *batch, cond *pb.Condition, muts []mutation) (bool, [][]hbase.Cell, *exception) {
	for i := range muts {
		if !bytes.Equal(muts[i].row, muts[0].row) {
			return false, nil, throw("client.WrongRowIOException", "The row %q doesn't match the original one %q", muts[i].row, muts[0].row)
		}
		if x := muts[i].tooLarge(b.r); x != nil {
			return false, nil, x
		}
	}
	if len(muts) > 0 && !bytes.Equal(cond.Row, muts[0].row) {
		return false, nil, throwFinal("DoNotRetryIOException", "The row of the action doesn't match the original one %q", cond.Row)
	}
	if x := b.writable(); x != nil {
		return false, nil, x
	}
	if !b.r.contains(cond.Row) {
		return false, nil, b.r.outOfRange("regionserver.WrongRegionException", "checkAndMutate", cond.Row)
	}
	ok, ts, x := b.holds(cond, false)
	if x != nil || !ok {
		return false, nil, x
	}
	b.stamp = max(b.now, ts) // so that the write is not eclipsed by the cell that was read
	results, x := s.commit(b, muts)
	return x == nil, results, x
}

// atomic is a batch of any rows of the region, all or nothing.
func (s *server) atomic(b *batch, muts []mutation) ([][]hbase.Cell, *exception) {
	for i := range muts {
		if x := muts[i].tooLarge(b.r); x != nil {
			return nil, x
		}
	}
	for i := range muts {
		if !b.r.contains(muts[i].row) {
			x := b.r.outOfRange("exceptions.FailedSanityCheckException", "doMiniBatchMutate", muts[i].row)
			x.doNotRetry = true
			return nil, x
		}
	}
	return s.commit(b, muts)
}

// mutate is the call of one mutation: region, mutation, condition.
func (s *server) mutate(k *call, r *rawRequest) (proto.Message, []byte, *exception) {
	var m pb.MutationProto
	var cond *pb.Condition
	spec := specifierOf(unknownField(r, 1))
	if err := proto.Unmarshal(unknownField(r, 2), &m); err != nil {
		return nil, nil, throwFinal("DoNotRetryIOException", "%v", err)
	}
	if raw := unknownField(r, 3); raw != nil {
		cond = new(pb.Condition)
		if err := proto.Unmarshal(raw, cond); err != nil {
			return nil, nil, throwFinal("DoNotRetryIOException", "%v", err)
		}
	}
	if k.late() {
		return nil, nil, nil // such a call is dropped without a word
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	b, x := s.batchOn(k, spec)
	if x != nil {
		return nil, nil, x
	}
	mut, x := readMutation(&m, k.block, b.t)
	if x != nil {
		return nil, nil, x
	}
	processed := true
	var results [][]hbase.Cell
	if cond != nil {
		processed, results, x = s.conditional(b, cond, []mutation{mut})
	} else if results, x = s.atomic(b, []mutation{mut}); x != nil && x.class == javaPrefix+"exceptions.FailedSanityCheckException" {
		x.class, x.doNotRetry = javaPrefix+"regionserver.WrongRegionException", false
	}
	if x != nil {
		return nil, nil, x
	}
	var cells []hbase.Cell
	if len(results) > 0 {
		cells = results[0]
	}
	res, block := k.conn.result(cells, nil)
	raw, err := proto.Marshal(res)
	if err != nil {
		return nil, nil, throwPlain("%v", err)
	}
	out := protowire.AppendTag(nil, 1, protowire.BytesType)
	out = protowire.AppendBytes(out, raw)
	out = protowire.AppendTag(out, 2, protowire.VarintType)
	out = protowire.AppendVarint(out, protowire.EncodeBool(processed))
	resp := new(rawResponse)
	resp.ProtoReflect().SetUnknown(out)
	return resp, block, nil
}

// coprocessor is MultiRowMutationService.MutateRows: all mutations under all conditions, or none.
func (s *server) coprocessor(k *call, spec *pb.RegionSpecifier, call *pb.CoprocessorServiceCall) (*pb.NameBytesPair, *exception) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	b, x := s.batchOn(k, spec)
	if x != nil {
		return nil, x
	}
	return s.callService(k, b, call)
}

// callService is coprocessor on a region that was found. Called under mu.
func (s *server) callService(k *call, b *batch, call *pb.CoprocessorServiceCall) (*pb.NameBytesPair, *exception) {
	if call.GetServiceName() != "MultiRowMutationService" || !b.t.hasMultiRowMutation() {
		return nil, throwFinal("exceptions.UnknownProtocolException", "No registered Coprocessor Service found for %s in region %s", call.GetServiceName(), b.r.describe())
	}
	if call.GetMethodName() != "MutateRows" {
		return nil, throwFinal("exceptions.UnknownProtocolException", "Unknown method %s called on Coprocessor Service %s", call.GetMethodName(), call.GetServiceName())
	}
	var req pb.MutateRowsRequest
	if err := proto.Unmarshal(call.GetRequest(), &req); err != nil {
		return nil, throwPlain("%v", err)
	}
	if k.late() {
		return nil, throw("exceptions.TimeoutIOException", "Timed out waiting for lock for row in region %s", b.r.encoded)
	}
	processed, x := s.mutateRows(k, b, &req)
	if x != nil {
		return nil, x
	}
	raw, err := proto.Marshal(&pb.MutateRowsResponse{Processed: &processed})
	if err != nil {
		return nil, throwPlain("%v", err)
	}
	return &pb.NameBytesPair{Name: proto.String(javaPrefix + "protobuf.generated.MultiRowMutationProtos$MutateRowsResponse"), Value: raw}, nil
}

func (s *server) mutateRows(k *call, b *batch, req *pb.MutateRowsRequest) (bool, *exception) {
	var muts []mutation
	for _, p := range req.MutationRequest {
		m, x := readMutation(p, k.block, b.t)
		if x != nil {
			return false, x
		}
		muts = append(muts, m)
	}
	for i := range muts {
		if b.r.contains(muts[i].row) {
			continue
		}
		text := "Requested row out of range '%s'"
		if i == 0 {
			return false, throw("regionserver.WrongRegionException", text, muts[i].row)
		}
		return false, throwFinal("DoNotRetryIOException", text, muts[i].row)
	}
	for _, c := range req.Condition {
		if !b.r.contains(c.Row) {
			return false, throwFinal("DoNotRetryIOException", "Requested row out of range '%s'", c.Row)
		}
	}
	for _, c := range req.Condition {
		if ok, _, x := b.holds(c, true); x != nil || !ok {
			return false, x
		}
	}
	_, x := s.commit(b, slices.Clip(muts))
	return x == nil, x
}
