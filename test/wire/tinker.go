package main

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"rowmark/hbase"
)

// odd and even are the counters of the odd row: no long, and a long.
var odd, even = []byte("odd"), binary.BigEndian.AppendUint64(nil, 2)

// tinker makes the counter of the odd row a long and no long, in turns: what HBase refuses for good it takes a moment
// later. An attempt that is late may so land after its record was given up. Whether and when a change is done is of no
// account, so its answers are not looked at.
func (w *world) tinker(ctx context.Context) {
	c, err := hbase.Open(ctx, w.options.HBase)
	if err != nil {
		return // the history was over before it was reached
	}
	defer c.Close()
	r := rand.New(rand.NewPCG(w.seed, 11))
	for ctx.Err() == nil {
		time.Sleep(time.Duration(20+r.IntN(300)) * time.Millisecond)
		value := odd
		if r.IntN(2) == 0 {
			value = even
		}
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 200*time.Millisecond)
		c.WriteRow(try, "counts", oddCounter(value))
		cancel()
	}
}

func oddCounter(value []byte) hbase.RowWrite {
	return hbase.RowWrite{Row: []byte(oddKey), Mutations: []hbase.Mutation{{
		Kind: hbase.KindPut, Cells: []hbase.MutationCell{{
			Column: &hbase.Column{Family: []byte("c"), Qualifier: []byte("w")}, Type: hbase.CellPut, Timestamp: hbase.LatestTimestamp, Value: value,
		}},
	}}}
}
