package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"strings"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

var (
	metaInfo        = []byte("info")
	metaTableFamily = []byte("table")
)

// metaRow is what one row of hbase:meta says of a region.
type metaRow struct {
	region      Region
	splitParent bool   // its daughters serve
	state       string // RegionState name; empty: not said
}

// parseMetaRow reads the cells of family info. A row without regioninfo gives nil.
func parseMetaRow(row []byte, cells []Cell) (*metaRow, error) {
	m := &metaRow{region: Region{Name: row, SeqNum: -1}}
	var info *pb.RegionInfo
	var startCode string
	for _, c := range cells {
		switch string(c.Qualifier) {
		case "regioninfo":
			info = new(pb.RegionInfo)
			if err := parsePBUF(c.Value, info); err != nil {
				return nil, fmt.Errorf("reading regioninfo of %q in hbase:meta: %w", row, err)
			}
		case "server":
			m.region.Addr = string(c.Value)
		case "serverstartcode":
			if len(c.Value) == 8 {
				startCode = fmt.Sprint(binary.BigEndian.Uint64(c.Value))
			}
		case "seqnumDuringOpen":
			if len(c.Value) == 8 {
				m.region.SeqNum = int64(binary.BigEndian.Uint64(c.Value))
			}
		case "state":
			m.state = string(c.Value)
		}
	}
	if info == nil || info.TableName == nil {
		return nil, nil
	}
	m.region.Table = tableText(info.TableName)
	m.region.ID = info.GetRegionId()
	m.region.Start, m.region.End = info.StartKey, info.EndKey
	m.region.Server = serverName(m.region.Addr, startCode)
	m.splitParent = info.GetOffline() && info.GetSplit()
	return m, nil
}

func (m *metaRow) open() bool { return m.region.Addr != "" && (m.state == "" || m.state == "OPEN") }

// serverName is the text form host,port,startcode, or empty if a part is not known.
func serverName(addr, startCode string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || startCode == "" {
		return ""
	}
	return strings.Join([]string{host, port, startCode}, ",")
}

// metaRegion is where hbase:meta itself is, from ZooKeeper.
func (c *Client) metaRegion(ctx context.Context) (*Region, error) {
	if r := c.cache.find(metaTable, metaRegionName); r != nil {
		return r, nil
	}
	sn, err := c.reg.metaServer(ctx)
	if err != nil {
		return nil, err
	}
	addr := joinHostPort(sn.GetHostName(), sn.GetPort())
	r := &Region{
		Table: metaTable, ID: 1, Name: metaRegionName, SeqNum: -1,
		Addr: addr, Server: serverName(addr, fmt.Sprint(sn.GetStartCode())),
	}
	c.cache.put(r)
	return r, nil
}

// lookupRows is how many rows a lookup reads: split parents not yet cleaned away may stand before the right one.
const lookupRows = 10

// behindIDs stands behind every region id: it is larger than any.
const behindIDs = ",99999999999999"

// lookupStart is the row of hbase:meta at or before which the region of a row stands. Servers scan from no more than
// maxRow bytes, so a long row is cut: what it loses can't tell regions apart, since their names have to fit, too.
func lookupStart(table string, row []byte) []byte {
	start := append([]byte(table), ',')
	start = append(start, row[:min(len(row), maxRow-len(start)-len(behindIDs))]...)
	return append(start, behindIDs...)
}

// lookup asks hbase:meta for the region of a row, once.
func (c *Client) lookup(ctx context.Context, table string, row []byte) (*Region, error) {
	scan := &pb.Scan{
		Column:         []*pb.Column{{Family: metaInfo}},
		StartRow:       lookupStart(table, row),
		StopRow:        append([]byte(table), ",,"...),
		IncludeStopRow: proto.Bool(true),
		Reversed:       proto.Bool(true),
		ReadType:       pb.Scan_PREAD.Enum(),
		Caching:        proto.Uint32(lookupRows),
	}
	c.lookedUp.Add(1)
	meta, err := c.metaRegion(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := c.scanOnce(ctx, meta, scan, lookupRows)
	if err != nil {
		return nil, err
	}
	var found *metaRow
	for _, r := range rows {
		m, err := parseMetaRow(r.Row, r.Cells)
		if err != nil {
			return nil, err
		}
		if m == nil || m.splitParent || m.region.Table != table {
			continue
		}
		if found == nil {
			if !m.region.Contains(row) {
				break
			}
			found = m
		} else if m.open() && c.cache.find(table, m.region.Start) == nil {
			c.cache.put(&m.region) // a neighbour that came along; soon asked for, as a rule
		}
	}
	if found != nil {
		return c.usable(ctx, found)
	}
	if err := c.checkTable(ctx, table); err != nil {
		return nil, err
	}
	return nil, &Error{Fault: FaultRelocate, Err: fmt.Errorf("locating row %x of %s: hbase:meta has no region for it now", row, table)}
}

// usable gives the region if it is open somewhere, else the reason why not.
func (c *Client) usable(ctx context.Context, m *metaRow) (*Region, error) {
	r := &m.region
	if m.open() {
		return r, nil
	}
	if err := c.checkTable(ctx, r.Table); err != nil {
		return nil, err
	}
	return nil, &Error{Fault: FaultRelocate, closed: r, Err: fmt.Errorf("locating region %q: it is not open now, its state is %s", r.Name, m.state)}
}

// checkTable tells a table that is missing or disabled from one whose regions are on the move.
func (c *Client) checkTable(ctx context.Context, table string) error {
	meta, err := c.metaRegion(ctx)
	if err != nil {
		return err
	}
	cells, err := c.getFrom(ctx, meta, &Get{Row: []byte(table), Columns: []Column{{Family: metaTableFamily, Qualifier: []byte("state")}}})
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return &Error{Fault: FaultTable, Err: fmt.Errorf("locating table %s: it does not exist", table)}
	}
	var st pb.TableState
	if err := proto.Unmarshal(cells[0].Value, &st); err != nil {
		return fmt.Errorf("reading the state of table %s: %w", table, err)
	}
	switch st.GetState() {
	case pb.TableState_DISABLED, pb.TableState_DISABLING:
		return &Error{Fault: FaultTable, Err: fmt.Errorf("locating table %s: it is disabled; enable it", table)}
	}
	return nil
}

// scanOnce reads up to n rows of one region in one call, partial rows being impossible without a size limit.
func (c *Client) scanOnce(ctx context.Context, r *Region, scan *pb.Scan, n uint32) ([]Row, error) {
	req := &request{method: "Scan", priority: highPriority, param: &pb.ScanRequest{
		Region: r.specifier(), Scan: scan, NumberOfRows: &n, CloseScanner: proto.Bool(true),
	}}
	resp, err := c.callRegion(ctx, r, 0, req)
	if err != nil {
		return nil, err
	}
	var m pb.ScanResponse
	if err := decodeBody(resp, req.method, &m); err != nil {
		return nil, err
	}
	results, err := scanResults(&m, resp.cells)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, res := range results {
		if len(res.cells) == 0 {
			continue
		}
		row := res.cells[0].Row
		if i := len(rows) - 1; i >= 0 && bytes.Equal(rows[i].Row, row) {
			rows[i].Cells = append(rows[i].Cells, res.cells...)
			continue
		}
		rows = append(rows, Row{Row: row, Cells: res.cells})
	}
	return rows, nil
}
