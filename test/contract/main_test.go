package contract

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"rowmark/hbase"
	"rowmark/test/cluster"
)

func TestMain(m *testing.M) {
	code := cluster.Main(m)
	if err := stopDistributed(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping HBase on HDFS:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// env is one HBase with both clients.
type env struct {
	ctx   context.Context
	c     *hbase.Client
	admin *hbase.Admin
	java  *cluster.JavaClient
}

// shared connects to the package's one-JVM HBase.
func shared(t *testing.T) *env {
	t.Helper()
	return connect(t, cluster.SharedZooKeeper(t), cluster.SharedJavaClient(t))
}

func connect(t *testing.T, zookeeper []string, java *cluster.JavaClient) *env {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	c, err := hbase.Open(ctx, hbase.Config{ZooKeeper: zookeeper, RPCTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &env{ctx: ctx, c: c, admin: c.Admin(), java: java}
}

// markFamily has the settings of the mark family; nvb those of a data family that keeps log order by itself.
var (
	markFamily = hbase.FamilySchema{Name: "_k", Attributes: hbase.FamilySettings{
		MinVersions: 1, NewVersionBehavior: true, BloomFilter: "ROWCOL", DataBlockEncoding: "FAST_DIFF",
	}.Attributes()}
	standardFamily = hbase.FamilySchema{Name: "s"}
	nvbFamily      = hbase.FamilySchema{Name: "n", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true"}}
	// plainMarkFamily lacks what makes the mark family safe.
	plainMarkFamily = hbase.FamilySchema{Name: "_p", Attributes: map[string]string{"VERSIONS": "1"}}
)

// table creates a table with all families and the coprocessor, and deletes it after the test.
func (e *env) table(t *testing.T, splits ...string) string {
	t.Helper()
	s := hbase.TableSchema{
		Name:     cluster.UniqueName(t),
		Families: []hbase.FamilySchema{markFamily, plainMarkFamily, standardFamily, nvbFamily},
	}
	s.AddCoprocessor(hbase.CoprocessorMultiRowMutation)
	var keys [][]byte
	for _, k := range splits {
		keys = append(keys, []byte(k))
	}
	if err := e.admin.CreateTable(e.ctx, s, keys...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := e.java.Do("delete", s.Name); err != nil {
			t.Error(err)
		}
	})
	return s.Name
}

var modes = map[string]hbase.Mode{"row": hbase.ModeRow, "region": hbase.ModeRegion}

// write sends rows in one Write and returns their results in order.
func (e *env) write(t *testing.T, table string, mode hbase.Mode, rows ...hbase.RowWrite) []hbase.WriteResult {
	t.Helper()
	out := make([]hbase.WriteResult, len(rows))
	var mu sync.Mutex
	e.c.Write(e.ctx, table, mode, rows, func(idx []int, res []hbase.WriteResult) {
		mu.Lock()
		defer mu.Unlock()
		for i, at := range idx {
			out[at] = res[i]
		}
	})
	return out
}

// must sends rows that have to be applied. Where a region is on its way, nothing is written, and it tries again.
func (e *env) must(t *testing.T, table string, mode hbase.Mode, rows ...hbase.RowWrite) {
	t.Helper()
	for i := range rows {
		if r := e.settled(t, table, mode, rows[i]); r.Outcome != hbase.Applied {
			t.Fatalf("write of row %s: outcome %d, %v; want applied", rows[i].Row, r.Outcome, r.Err)
		}
	}
}

// settled sends one row until the answer is about the row and not about where its region is.
func (e *env) settled(t *testing.T, table string, mode hbase.Mode, row hbase.RowWrite) hbase.WriteResult {
	t.Helper()
	for {
		r := e.write(t, table, mode, row)[0]
		if r.Outcome == hbase.Unknown {
			t.Fatalf("write of row %s: unknown outcome: %v", row.Row, r.Err)
		}
		switch hbase.FaultOf(r.Err) {
		case hbase.FaultRelocate, hbase.FaultConnect, hbase.FaultBusy:
		default:
			return r
		}
		if e.ctx.Err() != nil {
			t.Fatalf("write of row %s: %v", row.Row, r.Err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// cells reads one row by HBase's own client, newest version of each column first.
func (e *env) cells(t *testing.T, table, row string) []cluster.Cell {
	t.Helper()
	return rowsOf(t, e, table)[row]
}

func rowsOf(t *testing.T, e *env, table string) map[string][]cluster.Cell {
	t.Helper()
	all, err := e.java.Dump(table)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]cluster.Cell{}
	for _, c := range all {
		rows[c.Row] = append(rows[c.Row], c)
	}
	return rows
}

func (e *env) do(t *testing.T, command string, args ...string) string {
	t.Helper()
	out, err := e.java.Do(command, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func long(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }
