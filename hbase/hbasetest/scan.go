package hbasetest

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// scanner is a scan that is open on a server. Guarded by Cluster.mu.
type scanner struct {
	id          uint64
	region      *region // nil: hbase:meta
	want        want
	start, stop []byte
	inclStart   bool
	inclStop    bool
	reversed    bool
	maxBytes    uint64
	batch       int // cells of one result; 0 is no limit
	seq         uint64
	given       int          // whole rows
	rest        []hbase.Cell // of a row that was cut
	done        bool
}

func (s *server) scan(k *call, r *pb.ScanRequest) (proto.Message, []byte, *exception) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := k.alive(); x != nil {
		return nil, nil, x
	}
	sc, x := s.scannerFor(r)
	if x != nil {
		return nil, nil, x
	}
	resp := &pb.ScanResponse{ScannerId: &sc.id, Ttl: proto.Uint32(60000)}
	rows := 1
	if r.GetCloseScanner() {
		rows = 0
	}
	if r.NumberOfRows != nil {
		rows = int(r.GetNumberOfRows())
	}
	limit := int(r.GetLimitOfRows())
	var block []byte
	if !r.GetRenew() {
		block = sc.fill(c, k.conn, resp, rows, limit, r.GetClientHandlesPartials())
	}
	limited := limit > 0 && len(sc.rest) == 0 && sc.given >= limit
	resp.MoreResults = proto.Bool(!limited && !(sc.done && sc.last()))
	resp.MoreResultsInRegion = proto.Bool(!sc.done && !limited)
	sc.given = 0 // the limit is told anew with each call
	if r.GetCloseScanner() || sc.done || limited {
		delete(s.scanners, sc.id)
	} else {
		s.scanners[sc.id] = sc
	}
	return resp, block, nil
}

// scannerFor finds the call's scanner, or opens one.
func (s *server) scannerFor(r *pb.ScanRequest) (*scanner, *exception) {
	if r.ScannerId != nil {
		sc := s.scanners[r.GetScannerId()]
		if sc == nil {
			return nil, throwFinal("UnknownScannerException", "Unknown scanner '%d'", r.GetScannerId())
		}
		if sc.region != nil && (sc.region.server != s || sc.region.state != stateOpen) {
			delete(s.scanners, sc.id)
			return nil, throw("NotServingRegionException", "%s is not online", sc.region.describe())
		}
		if r.NextCallSeq != nil {
			if r.GetNextCallSeq() != sc.seq {
				delete(s.scanners, sc.id)
				return nil, throwFinal("exceptions.OutOfOrderScannerNextException", "Expected nextCallSeq: %d, But the nextCallSeq got from client: %d", sc.seq, r.GetNextCallSeq())
			}
			sc.seq++
		}
		return sc, nil
	}
	return s.openScanner(r)
}

func (s *server) openScanner(r *pb.ScanRequest) (*scanner, *exception) {
	c, scan := s.c, r.GetScan()
	if longest := max(len(scan.GetStartRow()), len(scan.GetStopRow())); longest > maxRow {
		return nil, throwPlain("java.lang.IllegalArgumentException: a row to scan from or to has %d bytes, of at most %d", longest, maxRow)
	}
	c.seq++
	sc := &scanner{
		id: s.startCode<<20 + c.seq, start: scan.GetStartRow(), stop: scan.GetStopRow(), reversed: scan.GetReversed(),
		inclStart: scan.IncludeStartRow == nil || scan.GetIncludeStartRow(), inclStop: scan.GetIncludeStopRow(),
		maxBytes: scan.GetMaxResultSize(), batch: int(unknownVarint(scan, 9)),
		want: want{columns: scan.GetColumn(), versions: max(int(scan.GetMaxVersions()), 1)},
	}
	sc.want.from, sc.want.to = bounds(scan.GetTimeRange())
	if len(unknownField(scan, 5)) > 0 {
		return nil, throwFinal("DoNotRetryIOException", "hbasetest serves no filters")
	}
	if string(r.GetRegion().GetValue()) == metaName && c.metaServer == s {
		return sc, nil
	}
	var x *exception
	if sc.region, x = c.regionAt(s, r.GetRegion()); x != nil {
		return nil, x
	}
	return sc, c.tables[sc.region.table].checkColumns(sc.region, sc.want.columns)
}

// fill reads on until so many rows are in the answer, or its size is reached, or the region ends.
func (sc *scanner) fill(c *Cluster, conn *conn, resp *pb.ScanResponse, rows, limit int, partials bool) []byte {
	var block []byte
	size, given := uint64(0), 0
	add := func(cells []hbase.Cell, partial bool) {
		if conn.blocks {
			resp.CellsPerResult = append(resp.CellsPerResult, uint32(len(cells)))
			block = encodeCells(block, cells)
		} else {
			resp.Results = append(resp.Results, inlineResult(cells))
		}
		resp.PartialFlagPerResult = append(resp.PartialFlagPerResult, partial)
	}
	for given < rows && (limit == 0 || sc.given < limit) {
		cells := sc.rest
		if sc.rest = nil; cells == nil {
			if cells = sc.next(c); cells == nil {
				sc.done = true
				break
			}
		}
		n := 0
		for n < len(cells) && (n == 0 || !partials || sc.maxBytes == 0 || size < sc.maxBytes) && (sc.batch == 0 || n < sc.batch) {
			size += uint64(kvSize(cells[n].Row, cells[n].Family, cells[n].Qualifier, cells[n].Value))
			n++
		}
		if n < len(cells) {
			add(cells[:n], true)
			sc.rest = cells[n:]
			if sc.batch == 0 {
				break
			}
			continue
		}
		add(cells, false)
		given++
		sc.given++
		if sc.maxBytes > 0 && size >= sc.maxBytes {
			break
		}
	}
	return block
}

// next reads the next row that has something to show, nil at the end.
func (sc *scanner) next(c *Cluster) []hbase.Cell {
	if sc.region == nil {
		return sc.nextMeta(c)
	}
	t := c.tables[sc.region.table]
	now := c.now(sc.region.server)
	keys := t.keys
	for {
		at, found := slices.BinarySearch(keys, string(sc.start))
		if sc.reversed {
			if len(sc.start) == 0 {
				at, found = len(keys), false
			}
			if !found || !sc.inclStart {
				at--
			}
		} else if found && !sc.inclStart {
			at++
		}
		if at < 0 || at >= len(keys) {
			return nil
		}
		key := []byte(keys[at])
		if sc.behind(key, bytes.Compare) {
			return nil
		}
		sc.start, sc.inclStart = key, false
		if !sc.region.contains(key) {
			if !sc.enter(key) {
				return nil
			}
			continue
		}
		if cells := t.readRow(key, sc.want, now); len(cells) > 0 {
			return cells
		}
	}
}

// enter goes to the region's border when the range began outside of it; false when the region lies behind.
func (sc *scanner) enter(key []byte) bool {
	below := bytes.Compare(key, sc.region.start) < 0
	switch {
	case !sc.reversed && below:
		sc.start, sc.inclStart = sc.region.start, true
	case sc.reversed && !below:
		sc.start, sc.inclStart = sc.region.end, false
	default:
		return false
	}
	return true
}

// behind says whether a row lies behind the end of the range.
func (sc *scanner) behind(key []byte, compare func(a, b []byte) int) bool {
	if len(sc.stop) == 0 {
		return false
	}
	o := compare(key, sc.stop)
	if sc.reversed {
		o = -o
	}
	return o > 0 || o == 0 && !sc.inclStop
}

func (sc *scanner) nextMeta(c *Cluster) []hbase.Cell {
	rows := c.metaRows()
	if sc.reversed {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		if len(sc.start) > 0 {
			o := compareMetaRows(row.Row, sc.start)
			if sc.reversed {
				o = -o
			}
			if o < 0 || o == 0 && !sc.inclStart {
				continue
			}
		}
		if sc.behind(row.Row, compareMetaRows) {
			return nil
		}
		if cells := sc.want.pick(row.Cells); len(cells) > 0 {
			sc.start, sc.inclStart = row.Row, false
			return cells
		}
	}
	return nil
}

// last says whether no other region holds rows of the range.
func (sc *scanner) last() bool {
	if sc.region == nil {
		return true
	}
	if sc.reversed {
		return len(sc.region.start) == 0 || len(sc.stop) > 0 && bytes.Compare(sc.stop, sc.region.start) >= 0
	}
	return len(sc.region.end) == 0 || len(sc.stop) > 0 && bytes.Compare(sc.stop, sc.region.end) <= 0
}
