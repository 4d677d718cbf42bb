package hbasetest

import (
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// procedures remember what changes were asked for, by nonce, and their outcome until somebody has read it.
type procedures struct {
	last    uint64
	byNonce map[[2]uint64]uint64
	done    map[uint64]bool
}

func newProcedures() procedures {
	return procedures{byNonce: map[[2]uint64]uint64{}, done: map[uint64]bool{}}
}

// nonced is a request that carries a nonce.
type nonced interface {
	GetNonceGroup() uint64
	GetNonce() uint64
}

// once runs a change, unless one of the same nonce was. Changes are done when they are answered: nobody has to wait
// for a procedure, but its result is asked for as on a real master, which forgets it then.
func (p *procedures) once(r nonced, change func() *exception) (*uint64, *exception) {
	nonce := [2]uint64{r.GetNonceGroup(), r.GetNonce()}
	if id, ok := p.byNonce[nonce]; ok && nonce[1] != 0 {
		return &id, nil
	}
	if x := change(); x != nil {
		return nil, x
	}
	p.last++
	id := p.last
	p.done[id] = true
	p.byNonce[nonce] = id
	return &id, nil
}

// askMaster runs a call of MasterService.
func (c *Cluster) askMaster(k *call) (proto.Message, *exception) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := k.req.(nonced); ok {
		return c.change(n)
	}
	switch r := k.req.(type) {
	case *pb.GetProcedureResultRequest:
		state := pb.GetProcedureResultResponse_NOT_FOUND
		if c.procs.done[r.GetProcId()] {
			state = pb.GetProcedureResultResponse_FINISHED
			delete(c.procs.done, r.GetProcId())
		}
		return &pb.GetProcedureResultResponse{State: &state}, nil
	case *pb.GetTableDescriptorsRequest:
		resp := &pb.GetTableDescriptorsResponse{}
		for _, n := range r.TableNames {
			if t := c.tables[tableText(n)]; t != nil {
				resp.TableSchema = append(resp.TableSchema, schemaProto(t.schema))
			}
		}
		return resp, nil
	case *pb.GetTableStateRequest:
		t, x := c.tableNamed(r.TableName)
		if x != nil {
			return nil, x
		}
		return &pb.GetTableStateResponse{TableState: &pb.TableState{State: t.state.Enum()}}, nil
	case *pb.GetNamespaceDescriptorRequest:
		if !c.namespaces[r.GetNamespaceName()] {
			return nil, throwFinal("NamespaceNotFoundException", "%s", r.GetNamespaceName())
		}
		return &pb.GetNamespaceDescriptorResponse{NamespaceDescriptor: &pb.NamespaceDescriptor{Name: []byte(r.GetNamespaceName())}}, nil
	case *pb.MoveRegionRequest:
		return c.askMove(r)
	case *pb.SetBalancerRunningRequest:
		return &pb.SetBalancerRunningResponse{PrevBalanceValue: proto.Bool(false)}, nil
	case *pb.GetClusterStatusRequest:
		return &pb.GetClusterStatusResponse{ClusterStatus: c.status()}, nil
	}
	return nil, throwFinal("DoNotRetryIOException", "unknown method %s", k.method)
}

func (c *Cluster) status() *pb.ClusterStatus {
	s := &pb.ClusterStatus{
		HbaseVersion: &pb.HBaseVersionFileContent{Version: &c.opts.Version}, ClusterId: &pb.ClusterId{ClusterId: &c.id},
		Master: c.master.serverName(), BalancerOn: proto.Bool(false),
	}
	for _, r := range c.servers {
		if r.up {
			s.LiveServers = append(s.LiveServers, &pb.LiveServerInfo{Server: r.serverName()})
			s.ServersName = append(s.ServersName, r.serverName())
		} else {
			s.DeadServers = append(s.DeadServers, r.serverName())
		}
	}
	return s
}

func (c *Cluster) tableNamed(n *pb.TableName) (*table, *exception) {
	if t := c.tables[tableText(n)]; t != nil {
		return t, nil
	}
	return nil, throwFinal("TableNotFoundException", "%s", tableText(n))
}

// change runs the calls that start a procedure.
func (c *Cluster) change(n nonced) (proto.Message, *exception) {
	var resp proto.Message
	id, x := c.procs.once(n, func() *exception { return c.apply(n) })
	if x != nil {
		return nil, x
	}
	switch n.(type) {
	case *pb.CreateTableRequest:
		resp = &pb.CreateTableResponse{ProcId: id}
	case *pb.DeleteTableRequest:
		resp = &pb.DeleteTableResponse{ProcId: id}
	case *pb.EnableTableRequest:
		resp = &pb.EnableTableResponse{ProcId: id}
	case *pb.DisableTableRequest:
		resp = &pb.DisableTableResponse{ProcId: id}
	case *pb.TruncateTableRequest:
		resp = &pb.TruncateTableResponse{ProcId: id}
	case *pb.ModifyTableRequest:
		resp = &pb.ModifyTableResponse{ProcId: id}
	case *pb.CreateNamespaceRequest:
		resp = &pb.CreateNamespaceResponse{ProcId: id}
	case *pb.DeleteNamespaceRequest:
		resp = &pb.DeleteNamespaceResponse{ProcId: id}
	case *pb.SplitTableRegionRequest:
		resp = &pb.SplitTableRegionResponse{ProcId: id}
	case *pb.MergeTableRegionsRequest:
		resp = &pb.MergeTableRegionsResponse{ProcId: id}
	}
	return resp, nil
}

func (c *Cluster) apply(n nonced) *exception {
	switch r := n.(type) {
	case *pb.CreateTableRequest:
		return c.createTable(r)
	case *pb.DeleteTableRequest:
		return c.deleteTable(r.TableName)
	case *pb.EnableTableRequest:
		return c.enableTable(r.TableName)
	case *pb.DisableTableRequest:
		return c.disableTable(r.TableName)
	case *pb.TruncateTableRequest:
		return c.truncateTable(r)
	case *pb.ModifyTableRequest:
		return c.modifyTable(r)
	case *pb.CreateNamespaceRequest:
		name := string(r.GetNamespaceDescriptor().GetName())
		if c.namespaces[name] {
			return throwFinal("NamespaceExistException", "%s", name)
		}
		c.namespaces[name] = true
	case *pb.DeleteNamespaceRequest:
		return c.deleteNamespace(r.GetNamespaceName())
	case *pb.SplitTableRegionRequest:
		return c.askSplit(r)
	case *pb.MergeTableRegionsRequest:
		return c.askMerge(r)
	}
	return nil
}
