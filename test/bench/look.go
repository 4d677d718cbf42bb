package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"rowmark/hbase"
)

// watchEvery is how long the reader of a partition's rows rests between two looks.
const watchEvery = 4 * time.Millisecond

// look reads a partition's rows again and again, from the first that is missing on.
func (w *watch) look(ctx context.Context, partition int) error {
	next := partition
	for ctx.Err() == nil {
		var found []int
		err := w.hbase.Scan(ctx, w.table, hbase.Scan{Start: watchedKey(partition, next), Stop: fmt.Appendf(nil, "%d.", partition)}, func(r hbase.Row) error {
			_, digits, _ := bytes.Cut(r.Row, []byte("-"))
			i, err := strconv.Atoi(string(digits))
			if err != nil || i >= w.n {
				return fmt.Errorf("row %s is none of ours", r.Row)
			}
			found = append(found, i)
			return nil
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("looking for rows: %w", err)
		}
		next = w.note(found, next, time.Now())
		if wait(ctx, time.Now().Add(watchEvery)) != nil {
			return nil
		}
	}
	return nil
}

// note takes down when rows were first seen, and gives the first that is still missing from next on.
func (w *watch) note(found []int, next int, now time.Time) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, i := range found {
		if w.seen[i].IsZero() {
			w.seen[i] = now
			w.left--
		}
	}
	for next < w.n && !w.seen[next].IsZero() {
		next += latencyPartitions
	}
	if len(found) > 0 {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
	return next
}

// delays are how long the records took, in seconds, without the first tenth, which warms up.
func (w *watch) delays() []float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []float64
	for i := w.n / 10; i < w.n; i++ {
		out = append(out, w.seen[i].Sub(w.due[i]).Seconds())
	}
	return out
}
