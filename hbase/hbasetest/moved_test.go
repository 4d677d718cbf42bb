package hbasetest_test

import (
	"testing"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// A server that is asked for a region which was split says only that it has none such: the client finds the daughters.
func TestRegionElsewhereIsFound(t *testing.T) {
	ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, nil)
	if r := c.WriteRow(ctx, "t", marked("row", 0)); r.Outcome != hbase.Applied {
		t.Fatalf("the first write: outcome %d, %v", r.Outcome, r.Err)
	}
	if err := cl.Split("t", []byte("m")); err != nil {
		t.Fatal(err)
	}
	for try := 1; ; try++ {
		r := c.WriteRow(ctx, "t", marked("row", 1))
		if r.Outcome == hbase.Applied {
			return
		}
		if try == 5 {
			t.Fatalf("the %d-th write: outcome %d, %v", try, r.Outcome, r.Err)
		}
	}
}
