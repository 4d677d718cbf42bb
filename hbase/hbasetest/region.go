package hbasetest

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// region is a key range of a table and where it is served.
type region struct {
	table      string
	id         uint64
	start, end []byte // [start, end); empty is open
	name       []byte
	encoded    string
	server     *server // where it is, or was last; nil before the first
	state      string  // as in hbase:meta
	seqNum     int64
	split      bool
	daughters  [2]*region
}

const (
	stateOpen   = "OPEN"
	stateClosed = "CLOSED"
	stateSplit  = "SPLIT"
	stateMerged = "MERGED"
)

func newRegion(table string, start, end []byte, id uint64) *region {
	head := fmt.Appendf(nil, "%s,%s,%d", table, start, id)
	sum := md5.Sum(head)
	encoded := hex.EncodeToString(sum[:])
	return &region{
		table: table, id: id, start: bytes.Clone(start), end: bytes.Clone(end), state: stateClosed, seqNum: 1,
		name: append(head, "."+encoded+"."...), encoded: encoded,
	}
}

func (r *region) contains(row []byte) bool {
	return bytes.Compare(r.start, row) <= 0 && (len(r.end) == 0 || bytes.Compare(row, r.end) < 0)
}

func (r *region) info() *pb.RegionInfo {
	i := &pb.RegionInfo{
		RegionId: proto.Uint64(r.id), TableName: tableName(r.table), StartKey: r.start, EndKey: r.end,
		Offline: proto.Bool(r.split), Split: proto.Bool(r.split), ReplicaId: proto.Int32(0),
	}
	return i
}

// outOfRange is thrown for a row that the region does not hold.
func (r *region) outOfRange(class, call string, row []byte) *exception {
	return throw(class, "Requested row out of range for %s on HRegion %s, startKey='%s', getEndKey()='%s', row='%s'", call, r.name, r.start, r.end, row)
}

// moved remembers where a region went that this server gave up in peace.
type moved struct {
	to     *server
	seqNum int64
}

// regionAt finds an open region by its full name on a server, or throws what the server throws. Called under mu.
func (c *Cluster) regionAt(s *server, spec *pb.RegionSpecifier) (*region, *exception) {
	name := string(spec.GetValue())
	r := c.byName[name]
	if r != nil && r.server == s && r.state == stateOpen {
		return r, nil
	}
	if m, ok := s.moved[name]; ok && m.to.up {
		x := throw("exceptions.RegionMovedException", "Region moved to: hostname=%s port=%d startCode=%d. As of locationSeqNum=%d.", m.to.host(), m.to.port, m.to.startCode, m.seqNum)
		x.host, x.port = m.to.host(), m.to.port
		return nil, x
	}
	return nil, throw("NotServingRegionException", "%s is not online on %s", name, s.name())
}

// place opens a region on a server. Called under mu.
func (c *Cluster) place(r *region, s *server) {
	if old := r.server; old != nil && old != s && old.up && r.state == stateOpen {
		old.moved[string(r.name)] = moved{to: s, seqNum: r.seqNum + 1}
	}
	delete(s.moved, string(r.name))
	r.server, r.state = s, stateOpen
	r.seqNum += 2
}
