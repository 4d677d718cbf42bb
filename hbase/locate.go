package hbase

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// lookupLocks lets one lookup per table run at a time: after a split many callers miss the same region.
type lookupLocks struct {
	mu     sync.Mutex
	tables map[string]chan struct{}
}

func newLookupLocks() *lookupLocks { return &lookupLocks{tables: map[string]chan struct{}{}} }

func (l *lookupLocks) lock(ctx context.Context, table string) (func(), error) {
	l.mu.Lock()
	ch := l.tables[table]
	if ch == nil {
		ch = make(chan struct{}, 1)
		l.tables[table] = ch
	}
	l.mu.Unlock()
	select {
	case ch <- struct{}{}:
		return func() { <-ch }, nil
	case <-ctx.Done():
		return nil, notSent(fmt.Errorf("locating table %s: %w", table, ctx.Err()))
	}
}

// locate gives the region of a row, from the cache or by one lookup.
func (c *Client) locate(ctx context.Context, table string, row []byte) (*Region, error) {
	if table == metaTable {
		return c.metaRegion(ctx)
	}
	if r := c.cache.find(table, row); r != nil {
		return r, nil
	}
	unlock, err := c.lookups.lock(ctx, table)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if r := c.cache.find(table, row); r != nil {
		return r, nil
	}
	r, err := c.lookup(ctx, table, row)
	if err != nil {
		return nil, err
	}
	c.cache.put(r)
	return r, nil
}

// locateFor is locate for writes: it tries again while the answer may change, for a while.
func (c *Client) locateFor(ctx context.Context, limit time.Duration, table string, row []byte) (*Region, error) {
	if r := c.cache.find(table, row); r != nil {
		return r, nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var r *Region
	err := c.retry(ctx, fmt.Sprintf("locating row %x of %s", row, table), func(ctx context.Context) (err error) {
		r, err = c.locate(ctx, table, row)
		return err
	})
	return r, err
}

// Regions lists the regions of a table in key order, also those not open now (Addr empty, or the last place).
// It asks hbase:meta each time. A missing table is FaultTable.
func (c *Client) Regions(ctx context.Context, table string) ([]Region, error) {
	table = canonicalTable(table)
	var out []Region
	err := c.retry(ctx, "listing the regions of "+table, func(ctx context.Context) error {
		out = out[:0]
		meta, err := c.metaRegion(ctx)
		if err != nil {
			return err
		}
		// ',' + 1 is '-': all rows that begin with the table's name and a comma.
		start, stop := append([]byte(table), ",,"...), append([]byte(table), '-')
		for {
			const page = 100
			rows, err := c.scanOnce(ctx, meta, &pb.Scan{
				Column: []*pb.Column{{Family: metaInfo}}, StartRow: start, StopRow: stop,
				ReadType: pb.Scan_PREAD.Enum(), Caching: proto.Uint32(page),
			}, page)
			if err != nil {
				return err
			}
			for _, row := range rows {
				m, err := parseMetaRow(row.Row, row.Cells)
				if err != nil {
					return err
				}
				if m != nil && !m.splitParent && m.region.Table == table {
					out = append(out, m.region)
				}
			}
			if len(rows) < page {
				break
			}
			start = append(append([]byte(nil), rows[len(rows)-1].Row...), 0)
		}
		if len(out) == 0 {
			return c.checkTable(ctx, table)
		}
		return nil
	})
	return out, err
}
