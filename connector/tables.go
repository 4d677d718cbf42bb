package connector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// recheckAfter is how long a table's failed check stands before the table is looked at again.
const recheckAfter = time.Second

// tableChecks remembers which tables were found fit to be written to. What a table is may change whenever it was
// away, so a table that was missing or disabled is checked again.
type tableChecks struct {
	mu     sync.Mutex
	tables map[string]*tableCheck
}

type tableCheck struct {
	mu     sync.Mutex
	passed bool
	err    error     // why it did not pass
	region error     // why region transactions can't be had; nil: they can
	at     time.Time // of the failed check
}

func (c *tableChecks) of(table string) *tableCheck {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[table]
	if t == nil {
		if c.tables == nil {
			c.tables = map[string]*tableCheck{}
		}
		t = &tableCheck{}
		c.tables[table] = t
	}
	return t
}

// note takes the error of a call: a table that was away must pass again.
func (c *tableChecks) note(table string, err error) {
	if f := hbase.FaultOf(err); err == nil || f != hbase.FaultTable && f != hbase.FaultSchema && f != hbase.FaultUnsupported {
		return
	}
	t := c.of(table)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passed = false
}

// check says whether the table may be written to in this mode. nil: it may.
func (c *tableChecks) check(e *Engine, table string, mode hbase.Mode) error {
	t := c.of(table)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.passed {
		if t.err != nil && time.Since(t.at) < recheckAfter {
			return t.err
		}
		ctx, cancel := context.WithTimeout(e.ctx, e.opts.CallTimeout)
		defer cancel()
		if t.err = e.inspect(ctx, table, t); t.err != nil {
			t.at = time.Now()
			return t.err
		}
		t.passed = true
	}
	if mode == hbase.ModeRegion && t.region != nil {
		return &hbase.Error{Fault: hbase.FaultUnsupported, Err: t.region}
	}
	return nil
}

// inspect looks at one table: its families, its WAL, and what it can commit.
func (e *Engine) inspect(ctx context.Context, table string, t *tableCheck) error {
	schema, err := e.hbase.DescribeTable(ctx, table)
	if err != nil {
		return readable(table, err)
	}
	n := needs{weakWAL: e.opts.AllowWeakWAL}
	if !e.opts.Core.AtLeastOnce {
		n.markFamily = e.opts.MarkFamily
	}
	for _, m := range e.opts.Mappings.Tables() {
		if m.Name == table {
			n.families = m.Families
		}
	}
	if err := checkSchema(schema, n); err != nil {
		return err
	}
	t.region = e.regionMode(ctx, table, schema)
	if e.opts.Commit == CommitRegion && t.region != nil {
		return schemaError("hbase.commit is region, but %w", t.region)
	}
	return nil
}

// readable keeps the fault of an error of the table itself; what else went wrong means that nothing was sent.
func readable(table string, err error) error {
	switch hbase.FaultOf(err) {
	case hbase.FaultTable, hbase.FaultSchema, hbase.FaultConnect, hbase.FaultBusy:
		return err
	}
	return &hbase.Error{Fault: hbase.FaultConnect, Err: fmt.Errorf("describing table %s: %w", table, err)}
}

// regionMode says why a table can't be written by region transactions; nil: it can. The condition that is tried
// can't hold, and the server was seen to honour conditions before (checkConditions), so nothing is written.
func (e *Engine) regionMode(ctx context.Context, table string, schema *hbase.TableSchema) error {
	if e.opts.Commit == CommitRow {
		return errors.New("hbase.commit is row")
	}
	if e.regionErr != nil {
		return e.regionErr
	}
	family := e.opts.MarkFamily
	if schema.Family(family) == nil {
		return fmt.Errorf("table %s has no family %s to try a region transaction on", table, family)
	}
	if err := e.hbase.ProbeRegion(ctx, table, []byte{0}, []byte(family)); err != nil {
		return fmt.Errorf("table %s takes no region transactions (rowmark init adds the coprocessor): %w", table, err)
	}
	return nil
}

// checkTables looks at all tables at start, so that what is wrong is said before the first record comes. What is
// wrong with one table stops only the partitions that write to it.
func (e *Engine) checkTables(ctx context.Context) {
	e.ctx = ctx
	for _, m := range e.opts.Mappings.Tables() {
		if err := e.tables.check(e, m.Name, hbase.ModeRow); err != nil {
			e.log.Error().Err(err).Str("table", m.Name).Msg("this table can't be written to; partitions that need it wait")
			continue
		}
		mode, why := "region transactions", e.tables.of(m.Name).region
		if why != nil {
			mode = "row by row"
		}
		e.log.Info().Str("table", m.Name).Str("commit", mode).AnErr("because", why).Msg("table checked")
	}
}

// tableInfos tells the core what it must know of each table.
func (e *Engine) tableInfos() map[string]core.TableInfo {
	out := map[string]core.TableInfo{}
	for _, m := range e.opts.Mappings.Tables() {
		t := e.tables.of(m.Name)
		mode := hbase.ModeRegion
		if e.opts.Commit == CommitRow || t.passed && t.region != nil || e.opts.Core.AtLeastOnce {
			mode = hbase.ModeRow
		}
		out[m.Name] = core.TableInfo{Mode: mode, Counters: m.Counters}
	}
	return out
}

// checkCheckpointTable looks at the table that everything rests on.
func (e *Engine) checkCheckpointTable(ctx context.Context) error {
	table := e.opts.CheckpointTable
	schema, err := e.hbase.DescribeTable(ctx, table)
	if err != nil {
		if hbase.FaultOf(err) == hbase.FaultTable {
			return lasting{fmt.Errorf("the checkpoint table %s can't be used; run rowmark init: %w", table, err)}
		}
		return err
	}
	if err := checkSchema(schema, needs{families: []string{CheckpointFamily}}); err != nil {
		return lasting{err}
	}
	f, err := schema.Family(CheckpointFamily).Settings()
	if err != nil {
		return lasting{err}
	}
	if f.TTL != 0 {
		return lasting{fmt.Errorf("family %s of the checkpoint table %s has a TTL of %d s: checkpoints would vanish; alter it with TTL => 'FOREVER'", CheckpointFamily, table, f.TTL)}
	}
	return nil
}

// checkConditions has the server show, on a scratch row of the checkpoint table, that it honours conditions: one
// older than 2.4 would ignore them and write.
func (e *Engine) checkConditions(ctx context.Context) error {
	table, row, family := e.opts.CheckpointTable, []byte("@probe"), []byte(CheckpointFamily)
	if err := e.hbase.ProbeRow(ctx, table, row, family); err != nil {
		if hbase.FaultOf(err) == hbase.FaultUnsupported {
			return lasting{fmt.Errorf("this HBase does not honour the conditions that exactly-once rests on; 2.4 or later is needed: %w", err)}
		}
		return err
	}
	e.regionErr = nil
	if err := e.hbase.ProbeRegion(ctx, table, row, family); err != nil {
		if hbase.FaultOf(err) != hbase.FaultUnsupported {
			return err
		}
		e.regionErr = fmt.Errorf("the checkpoint table %s shows no conditional region transactions (rowmark init adds the coprocessor; HBase 2.4.9 or later): %w", table, err)
	}
	return nil
}
