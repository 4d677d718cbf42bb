package live

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
	"google.golang.org/protobuf/proto"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase/pb"
)

// Names of what stands in the tables.
const (
	checkpointTable = "rowmark"
	markFamily      = "_k"
	sink            = "s"
)

// teller names the effects of one process's requests. Those of package effect are named as there; what else is sent, to
// find servers, to make ready, or to keep a group alive, has names of its own, so that nothing is left out.
type teller struct {
	mu      sync.Mutex
	kind    string                   // what the process is: run, init, offsets
	began   bool                     // a checkpoint was read: what came before only made ready
	swapped map[string]core.Position // by row: the last position sent
	fetched bool
	rowMode bool // the tables are written row by row
}

// swaps is the number of checkpoints that were written to.
func (t *teller) swaps() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.swapped)
}

func (t *teller) kafka(key int16) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch name := kmsg.NameForKey(key); name {
	case "Fetch":
		t.fetched = true
		return "Fetch"
	case "ListOffsets", "OffsetForLeaderEpoch", "DescribeConfigs":
		return "ReadLog"
	case "JoinGroup":
		return "group/join"
	case "SyncGroup":
		return "group/sync"
	case "LeaveGroup":
		return "group/leave"
	case "Heartbeat", "OffsetFetch", "OffsetCommit", "FindCoordinator":
		return "group/" + name
	default:
		return "kafka/" + name
	}
}

func tableOf(region *pb.RegionSpecifier) string {
	name, _, _ := bytes.Cut(region.GetValue(), []byte(","))
	return string(bytes.TrimPrefix(name, []byte("default:")))
}

func (t *teller) hbase(method string, param []byte) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch method {
	case "Get":
		var r pb.GetRequest
		if err := proto.Unmarshal(param, &r); err != nil {
			return "", fmt.Errorf("reading a Get: %w", err)
		}
		return t.get(tableOf(r.GetRegion()), r.GetGet().GetRow()), nil
	case "Multi":
		var r pb.MultiRequest
		if err := proto.Unmarshal(param, &r); err != nil {
			return "", fmt.Errorf("reading a Multi: %w", err)
		}
		return t.multi(&r)
	case "ExecService":
		var r pb.CoprocessorServiceRequest
		if err := proto.Unmarshal(param, &r); err != nil {
			return "", fmt.Errorf("reading an ExecService: %w", err)
		}
		if !t.began || tableOf(r.GetRegion()) == checkpointTable || bytes.Equal(r.GetCall().GetRow(), []byte{0}) {
			return "start/probe", nil
		}
		return "Write/region", nil
	case "Scan":
		return "hbase/locate", nil
	default:
		if t.kind == "init" {
			return "init/" + method, nil
		}
		return "hbase/" + method, nil
	}
}

func (t *teller) get(table string, row []byte) string {
	switch {
	case table == "hbase:meta":
		return "hbase/locate"
	case table == checkpointTable && bytes.HasPrefix(row, []byte("@")):
		return "start/bind"
	case table == checkpointTable && t.kind == "offsets":
		return "offsets/read"
	case table == checkpointTable:
		t.began = true
		return "ReadCheckpoint"
	case t.fetched:
		return "CheckWitness/running"
	}
	return "CheckWitness/start"
}

// multi tells reads of marks from writes of rows, and both from a swap of a checkpoint.
func (t *teller) multi(r *pb.MultiRequest) (string, error) {
	fence := false
	for _, a := range r.GetRegionAction() {
		only := len(a.GetAction()) > 0
		for _, act := range a.GetAction() {
			m := act.GetMutation()
			if m == nil {
				return "Look", nil
			}
			if tableOf(a.GetRegion()) == checkpointTable {
				return t.swap(m)
			}
			only = only && len(m.GetColumnValue()) > 0
			for _, c := range m.GetColumnValue() {
				only = only && string(c.GetFamily()) == markFamily
			}
		}
		fence = fence || only
	}
	switch {
	case !t.began:
		return "start/probe", nil
	case fence:
		return "Write/fence", nil
	case t.rowMode:
		return "Write/row", nil
	}
	return "Write/solo", nil
}

// swap names a write of the checkpoint table by what it sets.
func (t *teller) swap(m *pb.MutationProto) (string, error) {
	row := string(m.GetRow())
	if row[0] == '@' {
		if row == "@"+sink {
			return "start/bind", nil
		}
		return "start/probe", nil
	}
	var put core.Position
	mapped := false
	for _, c := range m.GetColumnValue() {
		if string(c.GetFamily()) != connector.CheckpointFamily {
			continue
		}
		for _, q := range c.GetQualifierValue() {
			switch string(q.GetQualifier()) {
			case "position":
				var err error
				if put, err = core.DecodePosition(q.GetValue()); err != nil {
					return "", err
				}
			case "mapping":
				mapped = true
			}
		}
	}
	if put.Epoch == 0 {
		return "", fmt.Errorf("a write of checkpoint %s sets no position", row)
	}
	last, ours := t.swapped[row]
	t.swapped[row] = put
	if t.kind == "offsets" {
		if ours {
			return "offsets/write", nil
		}
		return "offsets/take", nil
	}
	switch {
	case !ours && mapped:
		return "SwapCheckpoint/create", nil
	case !ours:
		return "SwapCheckpoint/take", nil
	case put.Owner == core.Owner{}:
		return "SwapCheckpoint/release", nil
	case mapped:
		return "SwapCheckpoint/adopt", nil
	case put.Offset > last.Offset:
		return "SwapCheckpoint/advance", nil
	case put.Ceiling > last.Ceiling:
		return "SwapCheckpoint/ceiling", nil
	}
	return "SwapCheckpoint/beat", nil
}
