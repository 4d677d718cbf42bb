package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kgo"
)

// stretch is how many rows of a partition get records in turn, until each has all of its own: as events of one thing come
// close to each other, among those of others.
const stretch = 50

// numbering gives the key of the i-th record.
type numbering func(i int) int

// keyed makes orders with other keys. The records of a key lie in one partition.
func keyed(partitions int, number numbering) maker {
	plain := orders()
	return func(i int, r *kgo.Record) {
		plain(i, r)
		k := number(i)
		r.Key, r.Partition = orderKey(k), int32(k%partitions)
	}
}

// repeated gives each row so many records.
func repeated(partitions, perRow int) numbering {
	return func(i int) int {
		inPartition := i / partitions
		row := inPartition/(stretch*perRow)*stretch + inPartition%stretch
		return row*partitions + i%partitions
	}
}

// drawn draws each record's key: of all evenly, or most of them of a few hot ones.
func drawn(keys int, hotKeys, hotRecords float64) numbering {
	rng := rand.New(rand.NewPCG(2, 2))
	hot := max(1, int(float64(keys)*hotKeys))
	return func(int) int {
		switch {
		case hotRecords == 0:
			return rng.IntN(keys)
		case rng.Float64() < hotRecords:
			return rng.IntN(hot)
		}
		return hot + rng.IntN(keys-hot)
	}
}

// sized makes raw values of so many bytes.
func sized(size int) maker {
	plain := letters(size + 8) // 8 of them are a key, which is replaced
	return func(i int, r *kgo.Record) {
		plain(i, r)
		r.Key = orderKey(i)
	}
}

func orderKey(i int) []byte { return fmt.Appendf(nil, "order-%010d", i) }
