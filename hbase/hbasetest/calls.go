package hbasetest

import (
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// rawRequest and rawResponse stand for messages that package pb lacks, because the client never sends them: an empty
// message keeps all that comes as unknown fields.
type (
	rawRequest  = pb.CompactRegionResponse
	rawResponse = pb.CompactRegionResponse
)

// requests makes the message of each method, by service.
var requests = map[string]map[string]func() proto.Message{
	"ClientService": {
		"Get":         func() proto.Message { return new(pb.GetRequest) },
		"Scan":        func() proto.Message { return new(pb.ScanRequest) },
		"Mutate":      func() proto.Message { return new(rawRequest) },
		"Multi":       func() proto.Message { return new(pb.MultiRequest) },
		"ExecService": func() proto.Message { return new(pb.CoprocessorServiceRequest) },
	},
	"AdminService": {
		"FlushRegion":   func() proto.Message { return new(pb.FlushRegionRequest) },
		"CompactRegion": func() proto.Message { return new(pb.CompactRegionRequest) },
		"GetRegionInfo": func() proto.Message { return new(pb.GetRegionInfoRequest) },
	},
	"MasterService": {
		"CreateTable":            func() proto.Message { return new(pb.CreateTableRequest) },
		"DeleteTable":            func() proto.Message { return new(pb.DeleteTableRequest) },
		"EnableTable":            func() proto.Message { return new(pb.EnableTableRequest) },
		"DisableTable":           func() proto.Message { return new(pb.DisableTableRequest) },
		"truncateTable":          func() proto.Message { return new(pb.TruncateTableRequest) },
		"ModifyTable":            func() proto.Message { return new(pb.ModifyTableRequest) },
		"getProcedureResult":     func() proto.Message { return new(pb.GetProcedureResultRequest) },
		"GetTableDescriptors":    func() proto.Message { return new(pb.GetTableDescriptorsRequest) },
		"GetTableState":          func() proto.Message { return new(pb.GetTableStateRequest) },
		"CreateNamespace":        func() proto.Message { return new(pb.CreateNamespaceRequest) },
		"DeleteNamespace":        func() proto.Message { return new(pb.DeleteNamespaceRequest) },
		"GetNamespaceDescriptor": func() proto.Message { return new(pb.GetNamespaceDescriptorRequest) },
		"SplitRegion":            func() proto.Message { return new(pb.SplitTableRegionRequest) },
		"MergeTableRegions":      func() proto.Message { return new(pb.MergeTableRegionsRequest) },
		"MoveRegion":             func() proto.Message { return new(pb.MoveRegionRequest) },
		"SetBalancerRunning":     func() proto.Message { return new(pb.SetBalancerRunningRequest) },
		"GetClusterStatus":       func() proto.Message { return new(pb.GetClusterStatusRequest) },
	},
}

// askClient runs a call of ClientService.
func (s *server) askClient(k *call) (proto.Message, []byte, *exception) {
	switch r := k.req.(type) {
	case *pb.GetRequest:
		return s.get(k, r)
	case *pb.ScanRequest:
		return s.scan(k, r)
	case *rawRequest:
		return s.mutate(k, r)
	case *pb.MultiRequest:
		return s.multi(k, r)
	case *pb.CoprocessorServiceRequest:
		v, x := s.coprocessor(k, r.GetRegion(), r.GetCall())
		if x != nil {
			return nil, nil, x
		}
		return &pb.CoprocessorServiceResponse{Region: r.Region, Value: v}, nil, nil
	}
	return nil, nil, throwFinal("DoNotRetryIOException", "unknown method %s", k.method)
}

// alive throws for a call that reaches a server that has died since it took the connection. Called under mu.
func (k *call) alive() *exception {
	s := k.conn.s
	if !s.up || s.startCode != k.conn.life {
		return throw("regionserver.RegionServerStoppedException", "server %s is stopped", s.addr)
	}
	return nil
}

// result puts cells into an answer: into the cell block if the client reads one.
func (c *conn) result(cells []hbase.Cell, block []byte) (*pb.Result, []byte) {
	if c.blocks {
		n := int32(len(cells))
		return &pb.Result{AssociatedCellCount: &n}, encodeCells(block, cells)
	}
	return inlineResult(cells), block
}

func inlineResult(cells []hbase.Cell) *pb.Result {
	r := &pb.Result{}
	for i := range cells {
		c := &cells[i]
		r.Cell = append(r.Cell, &pb.Cell{
			Row: c.Row, Family: c.Family, Qualifier: c.Qualifier, Timestamp: proto.Uint64(uint64(c.Timestamp)),
			CellType: pb.CellType(c.Type).Enum(), Value: c.Value,
		})
	}
	return r
}

func specifierOf(raw []byte) *pb.RegionSpecifier {
	s := new(pb.RegionSpecifier)
	if raw == nil || proto.Unmarshal(raw, s) != nil {
		return nil
	}
	return s
}
