package hbasetest_test

import (
	"bytes"
	"fmt"
	"testing"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// The region of a row is found however long the row is, though a lookup in hbase:meta adds the table's name and more to
// it, and servers scan from no more bytes than a row may have.
func TestLongRowsAreFound(t *testing.T) {
	const longest = 32767
	for _, length := range []int{longest - 20, longest - 18, longest - 17, longest - 16, longest - 15, longest - 2, longest - 1, longest} {
		for _, first := range []byte{'a', 'm', 'z', 0, 0xff} {
			t.Run(fmt.Sprintf("%d bytes, the first is %#x", length, first), func(t *testing.T) {
				ctx, cl, c := open(t, hbasetest.Options{Servers: 2}, nil)
				if err := cl.Split("t", []byte("m")); err != nil {
					t.Fatal(err)
				}
				row := bytes.Repeat([]byte{first}, length)
				if r := c.WriteRow(ctx, "t", marked(string(row), 0)); r.Outcome != hbase.Applied {
					t.Fatalf("outcome %d, %v", r.Outcome, r.Err)
				}
			})
		}
	}
}
