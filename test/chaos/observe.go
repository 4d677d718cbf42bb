package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rowmark/test/cluster"
	"rowmark/test/linear"
)

// rank orders the values that a checkpoint or a row takes: epoch and beat, or the mark.
type rank [2]int64

// seen is one read of a checkpoint or a row, from outside.
type seen struct {
	client       int
	call, answer int64 // nanoseconds since the start
	rank         rank
	value        string
}

// observations are the reads of two clients, which Porcupine holds against registers that only ever move on: what one
// client has read, the other must not find undone.
type observations struct {
	wakes wakes
	mu    sync.Mutex
	born  time.Time
	all   map[string][]seen
	rows  []string // keys of the rows table that are sampled now
	until time.Time
	rnd   *rand.Rand
}

const (
	sampledRows = 10
	sampleFor   = 45 * time.Second
	// mostReads of one key are checked, the last ones: Porcupine's work grows with their square.
	mostReads = 1500
	// linearBudget bounds the check.
	linearBudget = 30 * time.Second
)

func newObservations(seed uint64) *observations {
	return &observations{born: time.Now(), all: map[string][]seen{}, rnd: rand.New(rand.NewPCG(seed, 500))}
}

func (o *observations) now() int64 { return int64(time.Since(o.born)) }

// checkpoints notes what a client read; call is the time before it asked.
func (o *observations) checkpoints(client int, call int64, positions map[string]*position) {
	answer := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	for seat, p := range positions {
		key := "checkpoint " + seat
		o.all[key] = append(o.all[key], seen{client, call, answer, rank{p.epoch, int64(p.beat)}, p.raw})
	}
}

// sample reads some rows that are being written now.
func (o *observations) sample(client int, c *cluster.JavaClient, keys []string) error {
	o.mu.Lock()
	if time.Now().After(o.until) && len(keys) > 0 {
		o.rows, o.until = o.draw(keys), time.Now().Add(sampleFor)
	}
	rows := slices.Clone(o.rows)
	o.mu.Unlock()
	if len(rows) == 0 {
		return nil
	}
	call := o.now()
	cells, err := get(c, rowsTable, rows)
	if err != nil {
		return err
	}
	answer := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	for row, some := range cells {
		key := "row " + row
		r, v := ofRow(some)
		o.all[key] = append(o.all[key], seen{client, call, answer, r, v})
	}
	return nil
}

// draw chooses among the newest keys, each at most once: two Gets of one row in one command would be taken for one.
func (o *observations) draw(keys []string) []string {
	var out []string
	for range sampledRows {
		if k := keys[max(0, len(keys)-1-o.rnd.IntN(1000))]; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// ofRow gives what the main sink has written to a row: its mark, and the newest version of everything beside it. Older
// versions go when a flush or a compaction likes.
func ofRow(cells []cluster.Cell) (rank, string) {
	var r rank
	var b strings.Builder
	for i, c := range cells {
		if i > 0 && cells[i-1].Family == c.Family && cells[i-1].Qualifier == c.Qualifier {
			continue
		}
		if c.Family == markFamily && strings.HasPrefix(c.Qualifier, mainSink+"/") {
			r[0] = c.Timestamp
		}
		if c.Family == "c" || c.Family == "a" || c.Family == "d" {
			fmt.Fprintf(&b, "%s:%s %x\n", c.Family, c.Qualifier, c.Value)
		}
	}
	return r, fmt.Sprintf("%d\n%s", r[0], b.String())
}

// operations makes a history of reads, and of the writes that must have been between them: each from one value that was
// seen to the next one.
func operations(key string, reads []seen) ([]linear.RegisterOp, []finding) {
	reads = reads[max(0, len(reads)-mostReads):]
	var bad []finding
	values := map[rank]string{}
	for _, r := range reads {
		if v, ok := values[r.rank]; ok && v != r.value {
			bad = append(bad, found(unfenced, "%s was read with two values at one place of its order, %v", key, r.rank))
		}
		values[r.rank] = r.value
	}
	ranks := slices.SortedFunc(maps.Keys(values), rank.compare)
	index := map[rank]int{}
	for i, r := range ranks {
		index[r] = i
	}
	// A value was written before the first answer that shows it or a later one, and after the last call that still gave
	// an earlier one. Where these contradict each other, so will Porcupine's search.
	call, answer := make([]int64, len(ranks)), slices.Repeat([]int64{math.MaxInt64}, len(ranks))
	for _, r := range reads {
		i := index[r.rank]
		answer[i] = min(answer[i], r.answer)
		if i+1 < len(ranks) {
			call[i+1] = max(call[i+1], r.call)
		}
	}
	for i := range ranks {
		j := len(ranks) - 1 - i
		if j+1 < len(ranks) {
			answer[j] = min(answer[j], answer[j+1])
		}
		if i > 0 {
			call[i] = max(call[i], call[i-1])
		}
	}
	var ops []linear.RegisterOp
	last := ""
	for i, r := range ranks {
		op := linear.RegisterOp{
			Event: linear.Event{Client: 2, Key: key, Call: min(1+call[i], 1+answer[i]), Return: 1 + answer[i], Outcome: linear.Applied},
			Kind:  linear.Swap, Expect: linear.Value(last), Put: linear.Value(values[r]),
		}
		if i == 0 {
			op.Kind, op.Expect, op.Call = linear.Set, "", 0
		}
		last = values[r]
		ops = append(ops, op)
	}
	for _, r := range reads {
		ops = append(ops, linear.RegisterOp{
			Event: linear.Event{Client: r.client, Key: key, Call: 1 + r.call, Return: 1 + r.answer, Outcome: linear.Applied},
			Kind:  linear.Read, Got: linear.Value(r.value),
		})
	}
	return ops, bad
}

// check gives the keys and reads that were checked, those not decided in time, and what is wrong.
func (o *observations) check(dir string) (report linear.Report, bad []finding, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ops []linear.RegisterOp
	for key, reads := range o.all {
		some, wrong := operations(key, o.wakes.judged(reads))
		ops = append(ops, some...)
		bad = append(bad, wrong...)
	}
	report, err = linear.CheckRegisters(ops, linear.Options{Budget: linearBudget, Dir: dir, Name: "chaos"})
	for _, w := range report.Wrong {
		bad = append(bad, found(unfenced, "%s: what two clients read of it is no history of a register (%s)", w.Key, filepath.Base(w.Page)))
	}
	return report, bad, err
}
