package contract

import (
	"flag"
	"math/rand/v2"
	"testing"

	"rowmark/hbase/hbasetest"
	"rowmark/hbase/hbasetest/contract"
)

func TestContract(t *testing.T) { contract.Run(t, shared(t)) }

var moreSeeds = flag.Int("seeds", 1, "how many random seeds of histories to play besides the fixed ones")

// Random histories show the same on a real HBase and on hbasetest. The fixed seeds found something once.
func TestHBaseTestIsTheSame(t *testing.T) {
	real := shared(t)
	cl, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cl.Close() }()
	seeds := []uint64{1, 2}
	for range *moreSeeds {
		seeds = append(seeds, rand.Uint64())
	}
	for _, seed := range seeds {
		contract.Differ(t, seed, 60, 8, real, contract.InProcess(cl))
	}
}
