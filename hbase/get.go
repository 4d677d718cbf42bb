package hbase

import (
	"context"
	"fmt"

	"rowmark/hbase/pb"
)

// Get reads one row. A row that is not there has no cells. It rides out splits, moves, busy and dying servers until
// ctx ends. The cells share memory with each other, and are the caller's.
//
// It shows all that was written, but for one case: HBase does not fence reads, so that a region server which lost the
// region in a pause answers from its memory when it wakes, until it learns of that (test/contract).
func (c *Client) Get(ctx context.Context, table string, g Get) (Row, error) {
	table = canonicalTable(table)
	if err := checkRow(g.Row); err != nil {
		return Row{}, err
	}
	out := Row{Row: g.Row}
	err := c.retry(ctx, fmt.Sprintf("getting row %x of %s", g.Row, table), func(ctx context.Context) error {
		r, err := c.locate(ctx, table, g.Row)
		if err != nil {
			return err
		}
		out.Cells, err = c.getFrom(ctx, r, &g)
		return err
	})
	return out, err
}

// getFrom asks a region for one row, once.
func (c *Client) getFrom(ctx context.Context, r *Region, g *Get) ([]Cell, error) {
	req := &request{method: "Get", param: &pb.GetRequest{Region: r.specifier(), Get: pbGet(g)}}
	if r.Table == metaTable {
		req.priority = highPriority
	}
	resp, err := c.callRegion(ctx, r, 0, req)
	if err != nil {
		return nil, err
	}
	var m pb.GetResponse
	if err := decodeBody(resp, req.method, &m); err != nil {
		return nil, err
	}
	return resultCells(m.Result, &cellReader{resp.cells})
}
