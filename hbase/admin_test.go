package hbase

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/hbase/pb"
	"rowmark/test/cluster"
)

// realAdmin connects to the package's HBase.
func realAdmin(t *testing.T) (context.Context, *Client, *Admin) {
	t.Helper()
	zookeeper := cluster.SharedZooKeeper(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	c, err := Open(ctx, Config{ZooKeeper: zookeeper})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return ctx, c, c.Admin()
}

func TestAdminTableLife(t *testing.T) {
	ctx, c, a := realAdmin(t)
	ns := "ns_" + cluster.UniqueName(t)
	table := ns + ":orders"
	for range 2 { // the second finds it there
		if err := a.CreateNamespace(ctx, ns); err != nil {
			t.Fatal(err)
		}
	}
	settings := FamilySettings{Versions: 1, MinVersions: 1, NewVersionBehavior: true, BloomFilter: "ROWCOL", DataBlockEncoding: "FAST_DIFF"}
	schema := TableSchema{
		Name:       table,
		Families:   []FamilySchema{{Name: "d", Attributes: map[string]string{"VERSIONS": "3"}}, {Name: "_k", Attributes: settings.Attributes()}},
		Attributes: map[string]string{"DURABILITY": "SYNC_WAL"},
	}
	schema.AddCoprocessor(CoprocessorMultiRowMutation)
	if err := a.CreateTable(ctx, schema, []byte("h"), []byte("p\x00")); err != nil {
		t.Fatal(err)
	}
	if err := a.CreateTable(ctx, schema); !IsTableExists(err) {
		t.Errorf("creating it again gave %v, want that it exists", err)
	}
	regions, err := c.Regions(ctx, table)
	if err != nil || len(regions) != 3 || string(regions[1].Start) != "h" || string(regions[1].End) != "p\x00" {
		t.Errorf("regions = %+v, %v; want three cut at h and p 00", regions, err)
	}

	got, err := a.DescribeTable(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	settings.KeepDeletedCells, settings.Compression = "FALSE", "NONE"
	if s, err := got.Family("_k").Settings(); err != nil || s != settings {
		t.Errorf("settings of _k = %+v, %v; want %+v", s, err, settings)
	}
	if got.Name != table || got.Durability() != "SYNC_WAL" || !got.HasCoprocessor(CoprocessorMultiRowMutation) {
		t.Errorf("schema = %+v", got)
	}

	if err := a.AddFamily(ctx, table, FamilySchema{Name: "c"}); err != nil {
		t.Error(err)
	}
	if err := a.AddFamily(ctx, table, FamilySchema{Name: "c"}); err == nil {
		t.Error("adding a family twice gave no error")
	}
	if err := a.SetFamilyAttributes(ctx, table, "d", map[string]string{"TTL": "86400"}); err != nil {
		t.Error(err)
	}
	if err := a.SetTableAttributes(ctx, table, map[string]string{"DURABILITY": "ASYNC_WAL"}); err != nil {
		t.Error(err)
	}
	if got, err = a.DescribeTable(ctx, table); err != nil {
		t.Fatal(err)
	}
	d, err := got.Family("d").Settings()
	if err != nil || d.TTL != 86400 || d.Versions != 3 || got.Family("c") == nil || got.Durability() != "ASYNC_WAL" {
		t.Errorf("schema after the changes = %+v, %v", got, err)
	}

	if s, err := a.TableState(ctx, table); err != nil || s != TableEnabled {
		t.Errorf("state = %v, %v; want enabled", s, err)
	}
	if err := a.DeleteTable(ctx, table); err == nil || !isClass(err, classTableNotDisabled) {
		t.Errorf("deleting an enabled table gave %v", err)
	}
	for range 2 {
		if err := a.DisableTable(ctx, table); err != nil {
			t.Error(err)
		}
	}
	if s, err := a.TableState(ctx, table); err != nil || s != TableDisabled {
		t.Errorf("state = %v, %v; want disabled", s, err)
	}
	for range 2 {
		if err := a.EnableTable(ctx, table); err != nil {
			t.Error(err)
		}
	}
	if err := a.DisableTable(ctx, table); err != nil {
		t.Error(err)
	}
	if err := a.DeleteTable(ctx, table); err != nil {
		t.Error(err)
	}
	if _, err := a.TableState(ctx, table); !IsTableNotFound(err) {
		t.Errorf("state of a deleted table: %v, want that it is not there", err)
	}
	if _, err := a.DescribeTable(ctx, table); !IsTableNotFound(err) {
		t.Errorf("description of a deleted table: %v, want that it is not there", err)
	}
	if err := a.DeleteNamespace(ctx, ns); err != nil {
		t.Error(err)
	}
}

// The master must take a change sent again for the one it already has: what lets this package repeat admin calls.
func TestAdminNonceMakesARepeatHarmless(t *testing.T) {
	ctx, _, a := realAdmin(t)
	schema := TableSchema{Name: cluster.UniqueName(t), Families: []FamilySchema{{Name: "d"}}}
	n := newNonce()
	req := &pb.CreateTableRequest{TableSchema: schema.proto(), NonceGroup: n.group, Nonce: n.id}
	var first, second pb.CreateTableResponse
	if err := a.call(ctx, "CreateTable", req, &first); err != nil {
		t.Fatal(err)
	}
	if err := a.call(ctx, "CreateTable", req, &second); err != nil || first.GetProcId() != second.GetProcId() {
		t.Errorf("the repeat gave procedure %d, %v; want %d again", second.GetProcId(), err, first.GetProcId())
	}
	served := func() (bool, error) { return a.inState(ctx, schema.Name, TableEnabled) }
	for range 2 { // the second finds the procedure's result taken
		if err := a.run(ctx, "CreateTable", req, &pb.CreateTableResponse{}, served); err != nil {
			t.Errorf("waiting for the procedure: %v", err)
		}
	}
	if err := a.CreateTable(ctx, schema); !IsTableExists(err) {
		t.Errorf("creating it under another nonce gave %v, want that it exists", err)
	}
	if err := a.DisableTable(ctx, schema.Name); err != nil {
		t.Error(err)
	}
	if err := a.DeleteTable(ctx, schema.Name); err != nil {
		t.Error(err)
	}
}

func TestAdminAgreesWithJavaClient(t *testing.T) {
	ctx, _, a := realAdmin(t)
	j := cluster.SharedJavaClient(t)
	table := cluster.UniqueName(t)
	if err := a.CreateTable(ctx, TableSchema{Name: table, Families: []FamilySchema{{Name: "d"}}}); err != nil {
		t.Fatal(err)
	}
	if err := a.AddCoprocessor(ctx, table, CoprocessorMultiRowMutation); err != nil {
		t.Fatal(err)
	}
	if err := a.AddCoprocessor(ctx, table, CoprocessorMultiRowMutation); err != nil {
		t.Errorf("adding a coprocessor that is there: %v", err)
	}
	seen, err := j.Describe(table)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := a.DescribeTable(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range seen["family:d"] {
		if ours.Family("d").Attributes[k] != v {
			t.Errorf("attribute %s of d: %q, HBase's client says %q", k, ours.Family("d").Attributes[k], v)
		}
	}
	if v := seen["table"]["coprocessor$1"]; !strings.Contains(v, CoprocessorMultiRowMutation) || v != ours.Attributes["coprocessor$1"] {
		t.Errorf("coprocessor$1: %q, HBase's client says %q", ours.Attributes["coprocessor$1"], v)
	}
	if _, err := j.Do("delete", table); err != nil {
		t.Error(err)
	}
}

func TestAdminRegions(t *testing.T) {
	ctx, c, a := realAdmin(t)
	j := cluster.SharedJavaClient(t)
	table := cluster.UniqueName(t)
	if err := a.CreateTable(ctx, TableSchema{Name: table, Families: []FamilySchema{{Name: "d"}}}); err != nil {
		t.Fatal(err)
	}
	put := func(row string) {
		if _, err := j.Do("put", table, cluster.Hex(row), "d", cluster.Hex("q"), "-", cluster.Hex("v")); err != nil {
			t.Fatal(err)
		}
	}
	put("a")
	if err := a.FlushTable(ctx, table); err != nil {
		t.Error(err)
	}
	put("z")
	if _, err := j.Do("deleteall", table, cluster.Hex("a")); err != nil {
		t.Error(err)
	}
	if err := a.FlushTable(ctx, table); err != nil {
		t.Error(err)
	}
	raw, err := j.DumpRaw(table)
	if err != nil || len(raw) != 3 {
		t.Errorf("before the compaction: %v, %v; want two puts and a delete marker", raw, err)
	}
	if err := a.CompactTable(ctx, table, true); err != nil {
		t.Error(err)
	}
	if raw, err = j.DumpRaw(table); err != nil || len(raw) != 1 || raw[0].Row != "z" {
		t.Errorf("after the major compaction: %v, %v; want z alone", raw, err)
	}

	regions, err := c.Regions(ctx, table)
	if err != nil || len(regions) != 1 {
		t.Fatalf("regions = %+v, %v; want one", regions, err)
	}
	if err := a.SplitRegion(ctx, regions[0], nil); err == nil {
		t.Error("splitting at an empty key gave no error")
	}
	if err := a.SplitRegion(ctx, regions[0], []byte("m")); err != nil {
		t.Fatal(err)
	}
	regions, err = c.Regions(ctx, table)
	if err != nil || len(regions) != 2 || string(regions[1].Start) != "m" {
		t.Fatalf("regions = %+v, %v; want two cut at m", regions, err)
	}
	if err := a.MoveRegion(ctx, regions[1], "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "no live region server") {
		t.Errorf("moving to nowhere gave %v", err)
	}
	if err := a.MoveRegion(ctx, regions[1], regions[1].Addr); err != nil {
		t.Errorf("moving to where it is: %v", err)
	}
	if rows, err := j.Do("count", table); err != nil || rows != "1 1" {
		t.Errorf("count = %q, %v; want the row z", rows, err)
	}
	if _, err := j.Do("delete", table); err != nil {
		t.Error(err)
	}
	if err := a.FlushRegion(ctx, regions[1]); FaultOf(err) != FaultTable {
		t.Errorf("flushing a region of a deleted table gave %v, want a fault of the table", err)
	}
}

func TestAdminRefusesOnTheClient(t *testing.T) {
	a := (&Client{}).Admin() // reaches no server
	d := []FamilySchema{{Name: "d"}}
	for want, err := range map[string]error{
		"not above":     a.CreateTable(t.Context(), TableSchema{Name: "t", Families: d}, []byte("b"), []byte("b")),
		"is empty":      a.CreateTable(t.Context(), TableSchema{Name: "t", Families: d}, nil),
		"column family": a.ModifyTable(t.Context(), TableSchema{Name: "t"}),
		"table name":    a.CreateTable(t.Context(), TableSchema{Name: "a b", Families: d}),
		"namespace":     a.CreateNamespace(t.Context(), "a-b"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error that names %q", err, want)
		}
	}
}

func TestAdminClusterVersion(t *testing.T) {
	ctx, _, a := realAdmin(t)
	v, err := a.ClusterVersion(ctx)
	if err != nil || !slices.Contains([]string{"2.", "3."}, v[:min(2, len(v))]) {
		t.Errorf("version = %q, %v; want one of HBase 2 or 3", v, err)
	}
}

func TestAdminForeignErrors(t *testing.T) {
	text := func(class, message string) *pb.ForeignExceptionMessage {
		return &pb.ForeignExceptionMessage{GenericException: &pb.GenericExceptionMessage{ClassName: &class, Message: &message}}
	}
	if err := foreignError(nil); err != nil {
		t.Errorf("no exception gave %v", err)
	}
	direct := foreignError(text("org.apache.hadoop.hbase.TableExistsException", "t"))
	wrapped := foreignError(text("java.io.IOException", "org.apache.hadoop.hbase.TableExistsException: t\n\tat x"))
	for _, err := range []error{direct, wrapped} {
		if !IsTableExists(err) || FaultOf(err) != FaultTable {
			t.Errorf("%v: fault %d, want that the table exists", err, FaultOf(err))
		}
	}
}
