package hbase

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// cuttingConn breaks after so many bytes each way, at whatever byte of a frame that is.
type cuttingConn struct {
	net.Conn
	mu          sync.Mutex
	read, write int
}

var errCut = errors.New("the connection was cut")

func (c *cuttingConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	n := min(len(b), c.write)
	c.write -= n
	c.mu.Unlock()
	sent, err := c.Conn.Write(b[:n])
	if err == nil && n < len(b) {
		_ = c.Conn.Close()
		err = errCut
	}
	return sent, err
}

func (c *cuttingConn) Read(b []byte) (int, error) {
	c.mu.Lock()
	left := c.read
	c.mu.Unlock()
	if left == 0 {
		_ = c.Conn.Close()
		return 0, errCut
	}
	n, err := c.Conn.Read(b[:min(len(b), left)])
	c.mu.Lock()
	c.read -= n
	c.mu.Unlock()
	return n, err
}

// cutClient is a client whose connections break after so many bytes of answers, up to ten times as many, or of calls.
func cutClient(ctx context.Context, t *testing.T, answers int) *Client {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(seed, 1))
	c, err := Open(ctx, Config{
		ZooKeeper: cluster.SharedZooKeeper(t), MaxCallRows: 10, MaxRegionCallRows: 10, RPCTimeout: 10 * time.Second,
		Dial: func(ctx context.Context, addr string) (net.Conn, error) {
			nc, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, err
			}
			mu.Lock()
			defer mu.Unlock()
			return &cuttingConn{Conn: nc, write: 500 + rng.IntN(30000), read: answers + rng.IntN(9*answers)}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Whatever breaks, an outcome must be true: Applied is in the row, Refused is not.
func TestRealOutcomesAreTrueWhenConnectionsAreCut(t *testing.T) {
	ctx, good, table := realTable(t, []byte("row1"), []byte("row2"))
	cut := cutClient(ctx, t, 2000)
	allModes(t, func(t *testing.T, mode Mode) {
		count := map[Outcome]int{}
		for round := range 40 {
			rows := make([]RowWrite, 60)
			for i := range rows {
				rows[i] = marked(fmt.Sprintf("row%d-%d-%d-%d", i%3, mode, round, i), 1, 2, putCell("q", 1, "v"), increment("n", 1))
				if mode == ModeBatch {
					cells := []MutationCell{putCell("q", 1, "v").Cells[0], putCell("r", 1, "v").Cells[0], putCell("s", 1, "v").Cells[0]}
					rows[i].Mutations, rows[i].Condition = []Mutation{{Kind: KindPut, Cells: cells}}, nil
				}
			}
			res := writeAll(ctx, t, cut, table, mode, rows)
			gets := make([]Get, len(rows))
			for i := range rows {
				gets[i].Row = rows[i].Row
			}
			got, errs := good.GetAll(ctx, table, gets)
			for i, r := range res {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				count[r.Outcome]++
				if n := len(got[i].Cells); r.Outcome == Applied && n != 3 || r.Outcome == Refused && n != 0 || r.Outcome == Refused && r.Err == nil {
					t.Fatalf("row %s was told %d (%v), and has %d cells", rows[i].Row, r.Outcome, r.Err, n)
				}
			}
		}
		t.Logf("applied %d, refused %d, unknown %d", count[Applied], count[Refused], count[Unknown])
		if count[Applied] == 0 || count[Unknown] == 0 {
			t.Error("the cuts left nothing to see")
		}
	})
	t.Run("reads get through", func(t *testing.T) {
		n := 0
		if err := cutClient(ctx, t, 5000).Scan(ctx, table, Scan{BatchRows: 50}, func(Row) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		m := 0
		if err := good.Scan(ctx, table, Scan{}, func(Row) error { m++; return nil }); err != nil || n != m || n == 0 {
			t.Errorf("%d rows through cuts, %d without (%v)", n, m, err)
		}
	})
}
