package hbasetest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

const metaName = "hbase:meta,,1"

// metaRows writes hbase:meta as it stands now, in its order. Called under mu.
func (c *Cluster) metaRows() []hbase.Row {
	var rows []hbase.Row
	for name, t := range c.tables {
		state, err := proto.Marshal(&pb.TableState{State: t.state.Enum()})
		if err != nil {
			panic(err) // a message of ours with all its fields
		}
		rows = append(rows, hbase.Row{Row: []byte(name), Cells: []hbase.Cell{{
			Row: []byte(name), Family: []byte("table"), Qualifier: []byte("state"), Timestamp: c.born, Type: hbase.CellPut, Value: state,
		}}})
		for _, r := range slices.Concat(t.regions, t.parents) {
			rows = append(rows, c.metaRow(r))
		}
	}
	slices.SortFunc(rows, func(a, b hbase.Row) int { return compareMetaRows(a.Row, b.Row) })
	return rows
}

func (c *Cluster) metaRow(r *region) hbase.Row {
	out := hbase.Row{Row: r.name}
	add := func(qualifier string, value []byte) {
		out.Cells = append(out.Cells, hbase.Cell{
			Row: r.name, Family: []byte("info"), Qualifier: []byte(qualifier), Timestamp: c.born, Type: hbase.CellPut, Value: value,
		})
	}
	add("regioninfo", regionInfoValue(r))
	if s := r.server; s != nil {
		add("seqnumDuringOpen", binary.BigEndian.AppendUint64(nil, uint64(r.seqNum)))
		add("server", []byte(s.addr))
		add("serverstartcode", binary.BigEndian.AppendUint64(nil, s.startCode))
		add("sn", []byte(s.name()))
	}
	if r.split {
		add("splitA", regionInfoValue(r.daughters[0]))
		add("splitB", regionInfoValue(r.daughters[1]))
	}
	add("state", []byte(r.state))
	return out
}

func regionInfoValue(r *region) []byte {
	b, err := proto.MarshalOptions{}.MarshalAppend([]byte("PBUF"), r.info())
	if err != nil {
		panic(fmt.Sprintf("encoding the info of region %s: %v", r.encoded, err))
	}
	return b
}

// compareMetaRows compares table, start key and region id one by one, and not the names as plain bytes: a start key
// may hold bytes below a comma.
func compareMetaRows(a, b []byte) int {
	ai, bi := bytes.IndexByte(a, ','), bytes.IndexByte(b, ',')
	head := func(k []byte, i int) []byte {
		if i < 0 {
			return k
		}
		return k[:i]
	}
	if o := bytes.Compare(head(a, ai), head(b, bi)); o != 0 {
		return o
	}
	if ai < 0 || bi < 0 {
		return cmp.Compare(min(ai, 0), min(bi, 0)) // the one without stands first
	}
	al, bl := bytes.LastIndexByte(a, ','), bytes.LastIndexByte(b, ',')
	middle := func(k []byte, i, l int) []byte { return k[min(i+1, l):l] }
	if o := bytes.Compare(middle(a, ai, al), middle(b, bi, bl)); o != 0 {
		return o
	}
	return bytes.Compare(a[al:], b[bl:])
}
