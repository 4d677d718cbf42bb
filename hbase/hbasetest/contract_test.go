package hbasetest_test

import (
	"testing"

	"rowmark/hbase/hbasetest"
	"rowmark/hbase/hbasetest/contract"
)

func TestContract(t *testing.T) {
	cl, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cl.Close() }()
	contract.Run(t, contract.InProcess(cl))
}
