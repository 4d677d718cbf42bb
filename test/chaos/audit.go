package main

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"rowmark/test/cluster"
)

// audit reads rows while all runs: the checkpoints first, then the rows, each in one Get.
type audit struct {
	client *cluster.JavaClient
	truth  *truth
	found  *findings
	rnd    *rand.Rand
	reads  *observations

	rows, failed, skipped atomic.Int64
}

const (
	auditEvery = 700 * time.Millisecond
	auditRows  = 12 // of each table
	// catchUp is how long the auditor waits for its own reader of the log.
	catchUp = 20 * time.Second
)

func (a *audit) run(ctx context.Context) {
	for sleep(ctx, auditEvery) == nil {
		if err := a.round(ctx); err != nil {
			a.failed.Add(1)
		}
	}
}

// round looks at some rows of each table.
func (a *audit) round(ctx context.Context) error {
	began := a.reads.now()
	cells, err := a.client.Dump(checkpointTable)
	if err != nil {
		return err
	}
	positions, err := parsePositions(cells)
	if err != nil {
		return err
	}
	a.reads.checkpoints(1, began, positions)
	if err := a.reads.sample(1, a.client, a.truth.table(rowsTable)); err != nil {
		return err
	}
	for _, table := range []string{rowsTable, hotTable, edgeTable} {
		keys := a.choose(a.truth.table(table))
		if len(keys) == 0 {
			continue
		}
		if err := a.table(ctx, table, keys, positions); err != nil {
			return err
		}
	}
	return nil
}

// choose draws keys, the newer ones more often: they are the ones that change.
func (a *audit) choose(keys []string) []string {
	chosen := map[string]bool{}
	for range min(auditRows, len(keys)) {
		i := len(keys) - 1 - a.rnd.IntN(len(keys))
		if a.rnd.IntN(3) > 0 {
			i = max(0, len(keys)-1-a.rnd.IntN(2000))
		}
		chosen[keys[i]] = true
	}
	var out []string
	for k := range chosen {
		out = append(out, k)
	}
	return out
}

func (a *audit) table(ctx context.Context, table string, keys []string, positions map[string]*position) error {
	began := a.reads.now()
	cells, err := get(a.client, table, keys)
	if err != nil {
		return err
	}
	doubtful := a.reads.wakes.doubtful(began, a.reads.now())
	for _, key := range keys {
		p := place{table, key}
		h, bad := hold(p, cells[key])
		if !a.known(ctx, h, positions) {
			a.skipped.Add(1)
			a.found.add("audit", bad...)
			continue
		}
		all := a.truth.row(p)
		bad = append(bad, judgeRow(h, all)...)
		late := behind(h, all, bySink(positions))
		if doubtful && len(late) > 0 {
			a.reads.wakes.leave(1)
			late = nil
		}
		a.found.add("audit", append(bad, late...)...)
		a.rows.Add(1)
	}
	return nil
}

// get reads rows, each by one Get of HBase's own client.
func get(c *cluster.JavaClient, table string, keys []string) (map[string][]cluster.Cell, error) {
	cells, err := c.Get(table, keys...)
	if err != nil {
		return nil, err
	}
	out := map[string][]cluster.Cell{}
	for _, cell := range cells {
		out[cell.Row] = append(out[cell.Row], cell)
	}
	return out, nil
}

// known waits until the log was read up to all that the row and the checkpoints speak of.
func (a *audit) known(ctx context.Context, h *held, positions map[string]*position) bool {
	for _, marks := range h.marks {
		for s, mark := range marks {
			if a.truth.reach(ctx, s, mark, catchUp) != nil {
				return false
			}
		}
	}
	for _, p := range positions {
		if tableOf[p.topic] != h.table && (h.table != hotTable || p.topic != mainTopic) {
			continue
		}
		if a.truth.reach(ctx, p.source, p.offset, catchUp) != nil {
			return false
		}
	}
	return true
}

func bySink(positions map[string]*position) map[string]map[source]int64 {
	out := map[string]map[source]int64{}
	for _, p := range positions {
		if out[p.sink] == nil {
			out[p.sink] = map[source]int64{}
		}
		out[p.sink][p.source] = p.offset
	}
	return out
}

// isJava says whether HBase itself refused, with an exception of this name.
func isJava(err error, name string) bool { return err != nil && strings.Contains(err.Error(), name) }
