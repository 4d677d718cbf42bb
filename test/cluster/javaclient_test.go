package cluster

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func mustDo(t *testing.T, c *JavaClient, command string, args ...string) string {
	t.Helper()
	out, err := c.Do(command, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestJavaClientSeesEveryVersion(t *testing.T) {
	c := SharedJavaClient(t)
	table := UniqueName(t)
	mustDo(t, c, "create", table, "family:d,VERSIONS=3", "split:80")
	defer mustDo(t, c, "delete", table)
	mustDo(t, c, "put", table, Hex("\x01 a"), "d", Hex("q"), "100", Hex("old value"))
	mustDo(t, c, "put", table, Hex("\x01 a"), "d", Hex("q"), "200", Hex(""))
	mustDo(t, c, "put", table, Hex("\xff"), "d", Hex(""), "300", Hex("\x00\n"))
	got, err := c.Dump(table)
	if err != nil {
		t.Fatal(err)
	}
	want := []Cell{
		{"\x01 a", "d", "q", 200, "Put", []byte{}},
		{"\x01 a", "d", "q", 100, "Put", []byte("old value")},
		{"\xff", "d", "", 300, "Put", []byte("\x00\n")},
	}
	if !slices.EqualFunc(got, want, sameCell) {
		t.Errorf("dump = %v, want %v", got, want)
	}
	mustDo(t, c, "deleteall", table, Hex("\x01 a"), "150")
	if got, err = c.Dump(table); err != nil || len(got) != 2 || got[0].Timestamp != 200 {
		t.Errorf("dump after a delete at 150 = %v, %v; want the cells of 200 and 300", got, err)
	}
	raw, err := c.DumpRaw(table)
	if err != nil || !slices.ContainsFunc(raw, func(c Cell) bool { return c.Type == "DeleteFamily" && c.Timestamp == 150 }) {
		t.Errorf("raw dump = %v, %v; want the delete marker of 150 in it", raw, err)
	}
	if out := mustDo(t, c, "count", table); out != "2 2" {
		t.Errorf("count = %q, want 2 rows with 2 cells", out)
	}
}

func sameCell(a, b Cell) bool {
	return a.Row == b.Row && a.Family == b.Family && a.Qualifier == b.Qualifier &&
		a.Timestamp == b.Timestamp && a.Type == b.Type && string(a.Value) == string(b.Value)
}

func TestJavaClientDoesWhatTestsNeed(t *testing.T) {
	c := SharedJavaClient(t)
	table := UniqueName(t)
	mustDo(t, c, "create", table, "family:d,VERSIONS=1", "attr:DURABILITY=SYNC_WAL",
		"coprocessor:org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
	put := func(row, value string) { mustDo(t, c, "put", table, Hex(row), "d", Hex("q"), "-", Hex(value)) }
	put("a", "1")
	put("z", "2")

	mustDo(t, c, "alter", table, "d", "TTL=1000000", "NEW_VERSION_BEHAVIOR=true")
	mustDo(t, c, "addfamily", table, "e,VERSIONS=2")
	d, err := c.Describe(table)
	if err != nil {
		t.Fatal(err)
	}
	if f := d["family:d"]; f["TTL"] != "1000000" || f["NEW_VERSION_BEHAVIOR"] != "true" || d["family:e"]["VERSIONS"] != "2" {
		t.Errorf("descriptor = %v, want the altered family d and the new family e", d)
	}
	if d["table"]["DURABILITY"] != "SYNC_WAL" || !strings.Contains(d["table"]["coprocessor$1"], "MultiRowMutationEndpoint") {
		t.Errorf("table attributes = %v, want the durability and the coprocessor", d["table"])
	}

	mustDo(t, c, "flush", table)
	put("b", "3")
	mustDo(t, c, "flush", table)
	mustDo(t, c, "majorcompact", table)
	mustDo(t, c, "snapshot", table, table+"_s")
	defer mustDo(t, c, "deletesnapshot", table+"_s")
	mustDo(t, c, "split", table, Hex("m"))
	regions, err := c.Regions(table)
	if err != nil || len(regions) != 2 || regions[0].End != "m" || regions[1].Start != "m" {
		t.Fatalf("regions after the split = %+v, %v; want two that meet at m", regions, err)
	}
	mustDo(t, c, "reopen", regions[0].Encoded)
	put("c", "4")
	if out := mustDo(t, c, "count", table); out != "4 4" {
		t.Errorf("count = %q, want 4 4", out)
	}
	mustDo(t, c, "disable", table)
	mustDo(t, c, "restore", table+"_s")
	mustDo(t, c, "enable", table)
	if out := mustDo(t, c, "count", table); out != "3 3" {
		t.Errorf("count after restoring the snapshot = %q, want 3 3", out)
	}
	mustDo(t, c, "truncate", table)
	if out := mustDo(t, c, "count", table); out != "0 0" {
		t.Errorf("count after truncating = %q, want 0 0", out)
	}
	mustDo(t, c, "delete", table)
	if out := mustDo(t, c, "exists", table); out != "false" {
		t.Errorf("exists = %q after deleting, want false", out)
	}
	if out := mustDo(t, c, "servers"); !strings.Contains(out, "master 127.0.0.1:") || !strings.Contains(out, "regionserver 127.0.0.1:") {
		t.Errorf("servers = %q, want a master and a region server on the loopback", out)
	}
}

func TestJavaClientReportsExceptions(t *testing.T) {
	c := SharedJavaClient(t)
	_, err := c.Do("disable", "no_such_table")
	if j := (*JavaError)(nil); !errors.As(err, &j) || !strings.Contains(j.Exception, "TableNotFoundException") {
		t.Errorf("disabling an unknown table gave %v, want a TableNotFoundException", err)
	}
	// The client is still good afterwards.
	if out := mustDo(t, c, "exists", "no_such_table"); out != "false" {
		t.Errorf("exists = %q, want false", out)
	}
}
