package main

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	hotRows = 64
	// A key lives for about that many records, so that its row's list of offsets stays short.
	keyLife  = 40
	warmLife = 800
	coldKeys = 600 // alive at a time, for each writer
	warmKeys = 8
)

// key is one row of the rows table. One writer alone writes it.
type key struct {
	name      string
	partition int32
	prev      int64 // the id of its last valued record, should the batch be committed
	settled   int64 // that of its last committed one
	left      int   // records until it retires
}

// keyring gives a writer's records: hot and cold keys, tombstones, re-creations, and what can't be mapped.
type keyring struct {
	rnd        *rand.Rand
	writer     int
	made       int
	cold, warm []*key
	ids        *atomic.Int64
	partitions int32 // that new keys are spread over
}

func newKeyring(seed uint64, writer int, ids *atomic.Int64, partitions int32) *keyring {
	k := &keyring{rnd: rand.New(rand.NewPCG(seed, 100+uint64(writer))), writer: writer, ids: ids, partitions: partitions}
	for range coldKeys {
		k.cold = append(k.cold, k.newKey(keyLife))
	}
	for range warmKeys {
		k.warm = append(k.warm, k.newKey(warmLife))
	}
	return k
}

// newKey spreads keys over the regions by their first letter, and over the partitions that there are now.
func (k *keyring) newKey(life int) *key {
	k.made++
	n := k.rnd.Uint32()
	return &key{
		name:      fmt.Sprintf("%x-%d-%07d", n%16, k.writer, k.made),
		partition: int32(n>>8) % k.partitions, left: 1 + k.rnd.IntN(2*life),
	}
}

// draft is a record on its way, and the key it belongs to, nil for none.
type draft struct {
	*kgo.Record
	key *key
	id  int64 // 0 unless it is a valued record of a key
}

// next makes a record. now is the present; record times run back and forth around it.
func (k *keyring) next(now time.Time) draft {
	p := k.pick()
	e := event{prev: p.prev, inc: int64(k.rnd.Uint64()), hot: int8(min(k.rnd.IntN(hotRows), k.rnd.IntN(hotRows)))}
	rec := &kgo.Record{
		Topic: mainTopic, Partition: p.partition, Key: []byte(p.name),
		Timestamp: now.Add(time.Duration(k.rnd.IntN(4000)-3000) * time.Millisecond),
	}
	switch n := k.rnd.IntN(1000); {
	case n < 50:
		e.kind = tombstone
	case n < 53: // neither a key nor a hot row
		rec.Key, e.hot, p = nil, -1, nil
	case n < 55: // an empty key
		rec.Key, e.hot, p = []byte{}, -1, nil
	case n < 57:
		e.kind = poison
	case n < 58:
		e.big = 50_000 + k.rnd.Int32N(400_000)
	case n < 200:
		e.note = someNote
	case n < 260:
		e.note = nullNote
	}
	if e.kind != tombstone && e.kind != poison {
		e.id = k.ids.Add(1)
	}
	rec.Value = e.value()
	if p == nil || e.id == 0 {
		return draft{Record: rec}
	}
	p.prev = e.id
	return draft{rec, p, e.id}
}

func (k *keyring) pick() *key {
	ring, life := k.cold, keyLife
	if k.rnd.IntN(4) == 0 {
		ring, life = k.warm, warmLife
	}
	i := k.rnd.IntN(len(ring))
	if ring[i].left--; ring[i].left < 0 {
		ring[i] = k.newKey(life)
	}
	return ring[i]
}
