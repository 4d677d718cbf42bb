package hbase

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

const (
	scanBatchRows   = 200
	scanResultBytes = 2 << 20
)

// Scan hands the rows of a range to fn in key order, each once and whole. It rides out splits, moves, expired
// scanners and dying servers by opening again behind the last row handed out, until ctx ends. An error of fn ends
// the scan and is returned as it is. Rows are read at different times: a scan is no snapshot.
func (c *Client) Scan(ctx context.Context, table string, s Scan, fn func(Row) error) error {
	table = canonicalTable(table)
	sc := &scanner{c: c, table: table, scan: &s, fn: fn, at: s.Start}
	var b backoff
	for {
		before := sc.rows
		err := sc.nextRegion(ctx)
		if sc.fnErr != nil {
			return sc.fnErr
		}
		if err == nil && sc.done {
			return nil
		}
		if err == nil {
			continue
		}
		what := fmt.Sprintf("scanning %s from row %x", table, sc.at)
		if !passing(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if sc.rows > before {
			b = backoff{}
		}
		if werr := b.wait(ctx, err); werr != nil {
			return gaveUp(what, err, werr)
		}
	}
}

// scanner is a scan under way. What it holds outlives the scanners opened on servers.
type scanner struct {
	c     *Client
	table string
	scan  *Scan
	fn    func(Row) error
	at    []byte // next row to read; its successor has a zero byte appended
	rows  int
	done  bool
	fnErr error

	part Row // cells of a row that may go on
}

// nextRegion scans the region at sc.at to its end.
func (sc *scanner) nextRegion(ctx context.Context) error {
	r, err := sc.c.locate(ctx, sc.table, sc.at)
	if err != nil {
		return err
	}
	// A reopened scanner begins with the whole of the row that was cut.
	sc.part = Row{}
	batch := uint32(scanBatchRows)
	if sc.scan.BatchRows > 0 {
		batch = uint32(sc.scan.BatchRows)
	}
	req := &pb.ScanRequest{
		Region: r.specifier(), Scan: sc.pbScan(), NumberOfRows: &batch,
		ClientHandlesPartials: proto.Bool(true), ClientHandlesHeartbeats: proto.Bool(true),
	}
	if sc.scan.Limit > 0 {
		req.LimitOfRows = proto.Uint32(uint32(sc.scan.Limit - sc.rows))
	}
	var id *uint64
	for seq := uint64(0); ; seq++ {
		resp, err := sc.c.callRegion(ctx, r, 0, &request{method: "Scan", param: req})
		if err != nil {
			return err
		}
		var m pb.ScanResponse
		if err := decodeBody(resp, "Scan", &m); err != nil {
			return err
		}
		if m.ScannerId != nil {
			id = m.ScannerId
		}
		end := m.MoreResults != nil && !m.GetMoreResults()
		regionEnd := m.MoreResultsInRegion != nil && !m.GetMoreResultsInRegion()
		err = sc.take(&m, resp.cells, end || regionEnd)
		if err != nil || sc.done {
			if !end && !regionEnd && id != nil {
				sc.closeScanner(r, *id)
			}
			return err
		}
		if end || regionEnd {
			sc.leave(r, end)
			return nil
		}
		req = &pb.ScanRequest{
			ScannerId: id, NumberOfRows: &batch, NextCallSeq: proto.Uint64(seq),
			ClientHandlesPartials: proto.Bool(true), ClientHandlesHeartbeats: proto.Bool(true),
		}
		if sc.scan.Limit > 0 {
			req.LimitOfRows = proto.Uint32(uint32(sc.scan.Limit - sc.rows))
		}
	}
}

func (sc *scanner) pbScan() *pb.Scan {
	return &pb.Scan{
		Column: pbColumns(sc.scan.Columns), StartRow: sc.at, StopRow: sc.scan.Stop,
		MaxVersions: proto.Uint32(uint32(max(sc.scan.Versions, 1))), MaxResultSize: proto.Uint64(scanResultBytes),
	}
}

// take joins partial results to rows and hands out those that are whole.
func (sc *scanner) take(m *pb.ScanResponse, block []byte, last bool) error {
	results, err := scanResults(m, block)
	if err != nil {
		return err
	}
	for _, res := range results {
		if len(res.cells) == 0 {
			continue
		}
		row := res.cells[0].Row
		if sc.part.Row != nil && !bytes.Equal(sc.part.Row, row) {
			if err := sc.emit(); err != nil || sc.done {
				return err
			}
		}
		if sc.part.Row == nil {
			sc.part = Row{Row: row, Cells: res.cells}
		} else {
			sc.part.Cells = append(sc.part.Cells, res.cells...)
		}
		if !res.partial {
			if err := sc.emit(); err != nil || sc.done {
				return err
			}
		}
	}
	if last {
		return sc.emit()
	}
	return nil
}

// emit hands out the row gathered so far, if any.
func (sc *scanner) emit() error {
	row := sc.part
	if row.Row == nil {
		return nil
	}
	sc.part = Row{}
	sc.at = append(append(make([]byte, 0, len(row.Row)+1), row.Row...), 0)
	sc.rows++
	if sc.scan.Limit > 0 && sc.rows >= sc.scan.Limit {
		sc.done = true
	}
	if err := sc.fn(row); err != nil {
		sc.fnErr = err
		return err
	}
	return nil
}

// leave goes on to the next region.
func (sc *scanner) leave(r *Region, end bool) {
	if end || len(r.End) == 0 || len(sc.scan.Stop) > 0 && bytes.Compare(sc.scan.Stop, r.End) <= 0 {
		sc.done = true
		return
	}
	sc.at = r.End
}

// closeScanner frees the server's scanner early; if that fails its lease ends it.
func (sc *scanner) closeScanner(r *Region, id uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req := &request{method: "Scan", param: &pb.ScanRequest{ScannerId: &id, CloseScanner: proto.Bool(true), NumberOfRows: proto.Uint32(0)}}
	_, _ = sc.c.pool.call(ctx, r.Addr, clientService, 0, req)
}
