package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const topic = "t"

// event is one record, as it was written.
type event struct {
	key    string
	id     string // partition:offset,
	weight int64
	delete bool
	offset int64
}

// history is what the log holds, by partition, in order. Records of one key are of one partition.
type history struct {
	mu   sync.Mutex
	logs [][]event
}

func (h *history) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, l := range h.logs {
		n += len(l)
	}
	return n
}

// produce writes so many random records, some of them rows of their own, most of a few hot ones.
func (w *world) produce(ctx context.Context, r *rand.Rand, n int) error {
	for range n {
		key := fmt.Sprintf("k%d", r.IntN(6))
		if r.IntN(3) == 0 {
			key = fmt.Sprintf("k%d", 6+r.IntN(40))
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(key)) // it never fails
		p := int(h.Sum32()) % w.partitions
		w.log.mu.Lock()
		off := int64(len(w.log.logs[p]))
		e := event{key: key, id: fmt.Sprintf("%d:%d,", p, off), weight: int64(r.Uint64()>>2) - 1<<61, delete: r.IntN(8) == 0, offset: off}
		w.log.logs[p] = append(w.log.logs[p], e)
		w.log.mu.Unlock()
		rec := &kgo.Record{
			Topic: topic, Partition: int32(p), Key: []byte(key),
			Timestamp: time.Now().Add(time.Duration(r.IntN(20)-15) * time.Millisecond), // out of order, often in one millisecond
		}
		if !e.delete {
			value, err := json.Marshal(map[string]any{"id": e.id, "w": e.weight})
			if err != nil {
				return err
			}
			rec.Value = value
		}
		if err := w.producer.ProduceSync(ctx, rec).FirstErr(); err != nil {
			return fmt.Errorf("producing: %w", err)
		}
		if rec.Offset != off {
			return fmt.Errorf("producing: record %d of partition %d got offset %d", off, p, rec.Offset)
		}
	}
	return nil
}
