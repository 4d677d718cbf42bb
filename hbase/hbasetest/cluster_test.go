package hbasetest_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// open starts a cluster with a table "t" of the families d, n (NEW_VERSION_BEHAVIOR) and k (marks), and a client.
func open(t *testing.T, opts hbasetest.Options, change func(*hbase.Config), splits ...string) (context.Context, *hbasetest.Cluster, *hbase.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cl, err := hbasetest.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cl.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg := cl.Config()
	if change != nil {
		change(&cfg)
	}
	c, err := hbase.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	s := hbase.TableSchema{Name: "t", Families: []hbase.FamilySchema{
		{Name: "d"},
		{Name: "n", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true"}},
		{Name: "k", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true", "MIN_VERSIONS": "1", "VERSIONS": "1"}},
	}}
	s.AddCoprocessor(hbase.CoprocessorMultiRowMutation)
	var keys [][]byte
	for _, k := range splits {
		keys = append(keys, []byte(k))
	}
	if err := c.Admin().CreateTable(ctx, s, keys...); err != nil {
		t.Fatal(err)
	}
	return ctx, cl, c
}

var modes = map[string]hbase.Mode{"row": hbase.ModeRow, "region": hbase.ModeRegion}

func write(ctx context.Context, t *testing.T, c *hbase.Client, mode hbase.Mode, rows ...hbase.RowWrite) []hbase.WriteResult {
	t.Helper()
	out, seen := make([]hbase.WriteResult, len(rows)), make([]int, len(rows))
	var mu sync.Mutex
	c.Write(ctx, "t", mode, rows, func(idx []int, res []hbase.WriteResult) {
		mu.Lock()
		defer mu.Unlock()
		for n, i := range idx {
			out[i] = res[n]
			seen[i]++
		}
	})
	for i, n := range seen {
		if n != 1 {
			t.Fatalf("row %d was reported %d times", i, n)
		}
	}
	return out
}

// marked adds 1 to a counter and sets the mark, if none at offset+1 or later is there.
func marked(row string, offset int64) hbase.RowWrite {
	return hbase.RowWrite{
		Row: []byte(row),
		Mutations: []hbase.Mutation{
			{Kind: hbase.KindIncrement, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("d"), Qualifier: []byte("n")}, Timestamp: hbase.LatestTimestamp, Value: long(1)}}},
			{Kind: hbase.KindPut, Cells: []hbase.MutationCell{{Column: &hbase.Column{Family: []byte("k"), Qualifier: []byte("m")}, Timestamp: offset + 1, Value: long(offset + 1)}}},
		},
		Condition: &hbase.Condition{Family: []byte("k"), Qualifier: []byte("m"), Op: hbase.CompareEqual, From: offset + 1},
	}
}

func long(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// counters reads the counter of each row from the cluster itself.
func counters(t *testing.T, cl *hbasetest.Cluster) map[string]int64 {
	t.Helper()
	rows, err := cl.Dump("t")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, r := range rows {
		for _, c := range r.Cells {
			if string(c.Family) == "d" {
				out[string(r.Row)] = int64(binary.BigEndian.Uint64(c.Value))
			}
		}
	}
	return out
}

func TestClientReadsWritesAndScans(t *testing.T) {
	ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, nil, "g", "p")
	for name, mode := range modes {
		var rows []hbase.RowWrite
		for i := range 300 {
			rows = append(rows, marked(fmt.Sprintf("%c-%s-%03d", "ahz"[i%3], name, i), 0))
		}
		for _, want := range []hbase.Outcome{hbase.Applied, hbase.Refused} {
			for i, r := range write(ctx, t, c, mode, rows...) {
				if r.Outcome != want || r.Err != nil {
					t.Fatalf("row %s: %v, want outcome %d", rows[i].Row, r, want)
				}
			}
		}
	}
	n := 0
	err := c.Scan(ctx, "t", hbase.Scan{BatchRows: 7}, func(r hbase.Row) error {
		if len(r.Cells) != 2 {
			t.Errorf("row %s has %d cells, want a counter and a mark", r.Row, len(r.Cells))
		}
		n++
		return nil
	})
	if err != nil || n != 600 {
		t.Errorf("the scan saw %d rows (%v), want 600", n, err)
	}
	for row, sum := range counters(t, cl) {
		if sum != 1 {
			t.Errorf("row %s holds %d, want 1", row, sum)
		}
	}
	if s, err := c.ProbeRegion(ctx, "t", []byte("probe"), []byte("d")); err != nil || s != hbase.SupportYes {
		t.Errorf("probing: %v (%v)", s, err)
	}
}
