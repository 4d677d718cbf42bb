package hbasetest

import (
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// askAdmin runs a call of AdminService.
func (s *server) askAdmin(k *call) (proto.Message, *exception) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if x := k.alive(); x != nil {
		return nil, x
	}
	spec := k.req.(interface{ GetRegion() *pb.RegionSpecifier }).GetRegion()
	r, x := s.c.regionAt(s, spec)
	if x != nil {
		return nil, x
	}
	t, now := s.c.tables[r.table], s.c.now(s)
	switch req := k.req.(type) {
	case *pb.FlushRegionRequest:
		t.compact(r, "", false, now)
		return &pb.FlushRegionResponse{LastFlushTime: proto.Uint64(uint64(now)), Flushed: proto.Bool(true)}, nil
	case *pb.CompactRegionRequest:
		t.compact(r, string(req.Family), req.GetMajor(), now)
		if req.GetMajor() {
			s.c.forget(t, r)
		}
		return &pb.CompactRegionResponse{}, nil
	case *pb.GetRegionInfoRequest:
		return &pb.GetRegionInfoResponse{RegionInfo: r.info(), CompactionState: pb.GetRegionInfoResponse_NONE.Enum()}, nil
	}
	return nil, throwFinal("DoNotRetryIOException", "unknown method %s", k.method)
}
