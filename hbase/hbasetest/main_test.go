package hbasetest_test

import (
	"flag"
	"os"
	"testing"
)

// The tests under faults wait much and work little: more of them at once than there are processors.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
