package work

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"rowmark/hbase"
)

// peer keeps its client between orders, as a connector does.
type peer struct {
	client    *hbase.Client
	zookeeper string
}

func (p *peer) close() {
	if p.client != nil {
		p.client.Close()
	}
}

func (p *peer) open(ctx context.Context, zookeeper string) (*hbase.Client, error) {
	if p.client != nil && p.zookeeper == zookeeper {
		return p.client, nil
	}
	p.close()
	c, err := hbase.Open(ctx, hbase.Config{ZooKeeper: strings.Split(zookeeper, ",")})
	p.client, p.zookeeper = c, zookeeper
	if err != nil {
		p.client = nil
	}
	return c, err
}

// way is how rows are written.
type way struct {
	mode hbase.Mode
	Kind
}

// ways by the names that orders give them.
var ways = map[string]way{
	"plain":        {hbase.ModeBatch, Kind{}},
	"plain-region": {hbase.ModeRegion, Kind{}},
	"marked":       {hbase.ModeBatch, Kind{Mark: true}},
	"region":       {hbase.ModeRegion, Kind{Mark: true, Condition: true}},
	"row":          {hbase.ModeRow, Kind{Mark: true, Condition: true}},
	"counters":     {hbase.ModeRegion, Kind{Counters: true, Mark: true, Condition: true}},
}

// KindOf is what the rows of a way hold.
func KindOf(how string) Kind { return ways[how].Kind }

// write makes and writes rows 0 to rows-1, in batches shared out among the writers. Every row must be applied.
func (p *peer) write(ctx context.Context, o Order) (Answer, error) {
	how, ok := ways[o.Args["how"]]
	if !ok {
		return nil, fmt.Errorf("writing rows: there is no way %q", o.Args["how"])
	}
	var rows, batch, writers int
	if err := o.numbers(map[string]*int{"rows": &rows, "batch": &batch, "writers": &writers}); err != nil {
		return nil, err
	}
	c, err := p.open(ctx, o.Args["zookeeper"])
	if err != nil {
		return nil, err
	}
	return timed(func() error {
		return shared(ctx, rows, batch, writers, func(ctx context.Context, from, to int) error {
			return writeBatch(ctx, c, o.Args["table"], how, from, to)
		})
	})
}

// shared cuts 0 to n-1 into batches, which the workers take one after the other. The first error ends it all.
func shared(ctx context.Context, n, batch, workers int, do func(ctx context.Context, from, to int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(int64(batch))) - batch
				if from >= n {
					return
				}
				if err := do(ctx, from, min(from+batch, n)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func writeBatch(ctx context.Context, c *hbase.Client, table string, how way, from, to int) error {
	rows := make([]hbase.RowWrite, to-from)
	for i := range rows {
		rows[i] = Row(from+i, how.Kind)
	}
	var mu sync.Mutex
	var failed error
	c.Write(ctx, table, how.mode, rows, func(idx []int, res []hbase.WriteResult) {
		for i, r := range res {
			if r.Outcome != hbase.Applied {
				mu.Lock()
				failed = fmt.Errorf("writing row %s of %s: outcome %d: %w", rows[idx[i]].Row, table, r.Outcome, r.Err)
				mu.Unlock()
				return
			}
		}
	})
	return failed
}
