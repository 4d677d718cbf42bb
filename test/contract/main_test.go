package contract

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest/contract"
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

// realHBase is a target of the contract: a running HBase and its own Java client.
type realHBase struct {
	zookeeper []string
	java      *cluster.JavaClient
}

func (r *realHBase) Config() hbase.Config { return hbase.Config{ZooKeeper: r.zookeeper} }

func (r *realHBase) Do(command string, args ...string) (string, error) {
	return r.java.Do(command, args...)
}

func (r *realHBase) Dump(table string) ([]contract.Cell, error) {
	cells, err := r.java.Dump(table)
	out := make([]contract.Cell, len(cells))
	for i, c := range cells {
		out[i] = contract.Cell(c)
	}
	return out, err
}

// shared is the package's one-JVM HBase.
func shared(t *testing.T) *realHBase {
	t.Helper()
	return &realHBase{zookeeper: cluster.SharedZooKeeper(t), java: cluster.SharedJavaClient(t)}
}

// env is one HBase with both clients.
type env struct {
	*contract.Env
	ctx   context.Context
	c     *hbase.Client
	admin *hbase.Admin
	java  *cluster.JavaClient
}

func connect(t *testing.T, zookeeper []string, java *cluster.JavaClient) *env {
	t.Helper()
	e := contract.Connect(t, &realHBase{zookeeper: zookeeper, java: java})
	return &env{Env: e, ctx: e.Ctx, c: e.C, admin: e.Admin, java: java}
}

var modes = contract.Modes

func batch(row string, first, next int64) hbase.RowWrite { return contract.Batch(row, first, next) }

func long(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func (e *env) table(t *testing.T) string {
	t.Helper()
	return e.Table(t)
}

func (e *env) write(t *testing.T, table string, mode hbase.Mode, rows ...hbase.RowWrite) []hbase.WriteResult {
	t.Helper()
	return e.Write(table, mode, rows...)
}

func (e *env) must(t *testing.T, table string, mode hbase.Mode, rows ...hbase.RowWrite) {
	t.Helper()
	e.Must(t, table, mode, rows...)
}

func (e *env) protocol(t *testing.T, table string, mode hbase.Mode, row string, disturb func()) {
	t.Helper()
	e.Protocol(t, table, mode, row, disturb)
}

func (e *env) counter(t *testing.T, table, row string) (sum string, mark int64) {
	t.Helper()
	return e.Counter(t, table, row)
}

func (e *env) do(t *testing.T, command string, args ...string) string {
	t.Helper()
	return e.Do(t, command, args...)
}

func rowsOf(t *testing.T, e *env, table string) map[string][]contract.Cell {
	t.Helper()
	return e.Rows(t, table)
}

func (e *env) regions(t *testing.T, table string) []cluster.Region {
	t.Helper()
	r, err := e.java.Regions(table)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
