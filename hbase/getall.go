package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// multiGets is how many gets travel in one call.
const multiGets = 500

// GetAll reads many rows, strongly consistent, with few calls: one per server at a time, up to 500 rows each.
// rows[i] and errs[i] answer gets[i]. It rides out splits, moves, busy and dying servers until ctx ends.
func (c *Client) GetAll(ctx context.Context, table string, gets []Get) (rows []Row, errs []error) {
	g := &multiGetter{
		c: c, table: canonicalTable(table), gets: gets,
		rows: make([]Row, len(gets)), errs: make([]error, len(gets)),
	}
	var open []int
	for i := range gets {
		g.rows[i].Row = gets[i].Row
		if g.errs[i] = checkRow(gets[i].Row); g.errs[i] == nil {
			open = append(open, i)
		}
	}
	var b backoff
	for len(open) > 0 {
		before := len(open)
		open = g.try(ctx, open)
		if len(open) == 0 {
			break
		}
		if len(open) < before {
			b = backoff{}
		}
		if werr := b.wait(ctx, g.errs[open[0]]); werr != nil {
			for _, i := range open {
				g.errs[i] = gaveUp(fmt.Sprintf("getting row %x of %s", gets[i].Row, g.table), g.errs[i], werr)
			}
			break
		}
	}
	return g.rows, g.errs
}

type multiGetter struct {
	c     *Client
	table string
	gets  []Get
	rows  []Row
	errs  []error
}

// placed is a get with the region it goes to.
type placed struct {
	i      int
	region *Region
}

// try asks once for all that is open, and gives the indexes worth another try.
func (g *multiGetter) try(ctx context.Context, open []int) (again []int) {
	byServer := map[string][]placed{}
	for n, i := range open {
		r, err := g.c.locate(ctx, g.table, g.gets[i].Row)
		if g.errs[i] = err; err != nil {
			if f := FaultOf(err); f != FaultRelocate {
				// The table or the way to it is at fault: no use asking for each row.
				for _, j := range open[n:] {
					g.errs[j] = err
				}
				break
			}
			continue
		}
		byServer[r.Addr] = append(byServer[r.Addr], placed{i, r})
	}
	var wg sync.WaitGroup
	for addr, all := range byServer {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for len(all) > 0 {
				n := min(len(all), multiGets)
				g.ask(ctx, addr, all[:n])
				all = all[n:]
			}
		}()
	}
	wg.Wait()
	for _, i := range open {
		if err := g.errs[i]; err != nil && passing(err) {
			again = append(again, i)
		}
	}
	return again
}

// ask sends one Multi and stores its answers.
func (g *multiGetter) ask(ctx context.Context, addr string, batch []placed) {
	err := g.exchange(ctx, addr, batch)
	if err == nil {
		return
	}
	for _, p := range batch {
		g.errs[p.i] = err
		g.c.learn(ctx, p.region, err)
	}
}

func (g *multiGetter) exchange(ctx context.Context, addr string, batch []placed) error {
	s := g.c.pool.server(addr)
	if err := s.slotFor(ctx); err != nil {
		return err
	}
	defer s.slotDone()
	req := &pb.MultiRequest{}
	size := 0
	var last *Region
	for n, p := range batch {
		if p.region != last {
			req.RegionAction = append(req.RegionAction, &pb.RegionAction{Region: p.region.specifier()})
			last = p.region
		}
		a := req.RegionAction[len(req.RegionAction)-1]
		a.Action = append(a.Action, &pb.Action{Index: proto.Uint32(uint32(n)), Get: pbGet(&g.gets[p.i])})
		size += 64 + len(g.gets[p.i].Row)
	}
	resp, err := g.c.pool.call(ctx, addr, clientService, size, &request{method: methodMulti, param: req})
	if err != nil {
		return err
	}
	var m pb.MultiResponse
	if err := decodeBody(resp, methodMulti, &m); err != nil {
		return err
	}
	return g.store(ctx, batch, req, &m, resp.cells)
}

// store takes the answers apart. Actions answer by index; cells come in the order of the answers.
func (g *multiGetter) store(ctx context.Context, batch []placed, req *pb.MultiRequest, m *pb.MultiResponse, cells []byte) error {
	if len(m.RegionActionResult) != len(req.RegionAction) {
		return &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("getting rows of %s: %d results for %d regions", g.table, len(m.RegionActionResult), len(req.RegionAction))}
	}
	answered := make([]bool, len(batch))
	fail := func(n int, err *Error) {
		answered[n] = true
		g.errs[batch[n].i] = err
		g.c.learn(ctx, batch[n].region, err)
	}
	block := &cellReader{cells}
	for k, res := range m.RegionActionResult {
		if res.Exception != nil {
			e := pairError(res.Exception)
			for _, a := range req.RegionAction[k].Action {
				fail(int(a.GetIndex()), e)
			}
			continue
		}
		for _, roe := range res.ResultOrException {
			n := int(roe.GetIndex())
			if n >= len(batch) {
				return &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("getting rows of %s: answer for row %d of %d", g.table, n, len(batch))}
			}
			if roe.Exception != nil {
				fail(n, pairError(roe.Exception))
				continue
			}
			got, err := resultCells(roe.Result, block)
			if err != nil {
				return err
			}
			answered[n] = true
			i := batch[n].i
			g.rows[i].Cells, g.errs[i] = got, nil
		}
	}
	for n, ok := range answered {
		if !ok {
			g.errs[batch[n].i] = &Error{Fault: FaultAmbiguous, Err: errors.New("the server left the row out of its answer")}
		}
	}
	return nil
}
