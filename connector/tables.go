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
	schema, err := e.hbase.Admin().DescribeTable(ctx, table)
	if err != nil {
		return readable(table, err)
	}
	n, labelled := needs{weakWAL: e.opts.AllowWeakWAL}, false
	if !e.opts.Core.AtLeastOnce {
		n.markFamily = e.opts.MarkFamily
	}
	for _, m := range e.opts.Mappings.Tables() {
		if m.Name == table {
			n.families, labelled = m.Families, m.Visibility
		}
	}
	if err := checkSchema(&schema, n); err != nil {
		return err
	}
	if labelled {
		if err := e.checkVisibility(ctx, table); err != nil {
			return readable(table, err)
		}
	}
	if e.opts.Core.AtLeastOnce {
		return nil // nothing is conditional, so no transaction is needed, nor tried
	}
	t.region = e.regionMode(ctx, table)
	if passing(t.region) {
		return readable(table, t.region) // what can't be tried now says nothing of what the table can
	}
	if e.opts.Commit == CommitRegion && t.region != nil {
		return schemaError("hbase.commit is region, but %w", t.region)
	}
	return nil
}

// tablesOf says what is wrong with the tables that a topic's records go to, before its partitions begin: nothing is
// stored for a partition whose tables can't be written to.
func (e *Engine) tablesOf(topic string) error {
	for _, table := range e.opts.Mappings.TablesOf(topic) {
		if err := e.tables.check(e, table, hbase.ModeRow); err != nil {
			return err
		}
	}
	return nil
}

// passing says whether an error is of a table or server that is away, and may be back later.
func passing(err error) bool {
	var he *hbase.Error
	if !errors.As(err, &he) {
		return false
	}
	switch he.Fault {
	case hbase.FaultTable, hbase.FaultConnect, hbase.FaultRelocate, hbase.FaultBusy, hbase.FaultAmbiguous:
		return true
	default:
		return false
	}
}

// readable keeps the fault of an error of the table itself; what else went wrong means that nothing was sent.
func readable(table string, err error) error {
	switch fault := hbase.FaultOf(err); fault {
	case hbase.FaultTable:
		return &hbase.Error{Fault: fault, Err: fmt.Errorf("%w; run rowmark init, or check the table's name", err)}
	case hbase.FaultSchema, hbase.FaultConnect, hbase.FaultBusy:
		return err
	}
	return &hbase.Error{Fault: hbase.FaultConnect, Err: fmt.Errorf("describing table %s: %w", table, err)}
}

// regionMode says why a table can't be written by region transactions; nil: it can.
func (e *Engine) regionMode(ctx context.Context, table string) error {
	if e.opts.Commit == CommitRow {
		return errors.New("hbase.commit is row")
	}
	if e.regionErr != nil {
		return e.regionErr
	}
	return regionSupport(ctx, e.hbase, table, e.opts.MarkFamily)
}

// regionSupport tries a region transaction whose condition can't hold. The server must have been seen to honour
// conditions before (checkConditions), so that nothing is written.
func regionSupport(ctx context.Context, client *hbase.Client, table, family string) error {
	support, err := client.ProbeRegion(ctx, table, []byte{0}, []byte(family))
	switch {
	case err != nil:
		return fmt.Errorf("trying a region transaction on table %s: %w", table, err)
	case support != hbase.SupportYes:
		return fmt.Errorf("table %s takes no region transactions (%s); rowmark init adds the coprocessor", table, support)
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
		why := e.tables.of(m.Name).region
		mode := e.commitWords(why)
		e.log.Info().Str("table", m.Name).Str("commit", mode).AnErr("because", why).Msg("table checked")
	}
}

const wordsRow = "row by row"

// commitWords says how a table is committed to, of which region transactions can't be had because of why.
func (e *Engine) commitWords(why error) string {
	switch {
	case e.opts.Core.AtLeastOnce:
		return "batches without conditions"
	case why != nil:
		return wordsRow
	}
	return "region transactions"
}

// CommitPhrase puts the words of how a table is committed to behind a verb.
func CommitPhrase(words string) string {
	if words == wordsRow {
		return words
	}
	return "by " + words
}

// tableInfos tells the core what it must know of each table.
func (e *Engine) tableInfos() map[string]core.TableInfo {
	out := map[string]core.TableInfo{}
	for _, m := range e.opts.Mappings.Tables() {
		t := e.tables.of(m.Name)
		out[m.Name] = core.TableInfo{Mode: e.mode(t), Counters: m.Counters}
		if out[m.Name].Mode == hbase.ModeRow && e.opts.Commit != CommitRow {
			e.seen.rowByRow(m.Name, t.region)
		}
	}
	return out
}

// mode says how the rows of a table are committed, as far as it was looked at.
func (e *Engine) mode(t *tableCheck) hbase.Mode {
	switch {
	case e.opts.Core.AtLeastOnce:
		return hbase.ModeBatch // without conditions, rows need no more than to stand alone
	case e.opts.Commit == CommitRow || t.passed && t.region != nil:
		return hbase.ModeRow
	}
	return hbase.ModeRegion
}

// checkCheckpointTable looks at the table that everything rests on.
func (e *Engine) checkCheckpointTable(ctx context.Context) error {
	table := e.opts.CheckpointTable
	schema, err := e.hbase.Admin().DescribeTable(ctx, table)
	if err != nil {
		if hbase.FaultOf(err) == hbase.FaultTable {
			return lasting{fmt.Errorf("the checkpoint table %s can't be used; run rowmark init: %w", table, err)}
		}
		return err
	}
	if err := checkSchema(&schema, needs{families: []string{CheckpointFamily}}); err != nil {
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
	support, err := e.hbase.ProbeRow(ctx, table, row, family)
	if err != nil {
		return err
	}
	if support != hbase.SupportYes {
		return lasting{fmt.Errorf("this HBase does not honour the conditions that exactly-once rests on (%s); 2.4 or later is needed", support)}
	}
	if support, err = e.hbase.ProbeRegion(ctx, table, row, family); err != nil {
		return err
	}
	e.regionErr = nil
	if support != hbase.SupportYes {
		e.regionErr = fmt.Errorf("the checkpoint table %s shows no conditional region transactions (%s); rowmark init adds the coprocessor, HBase 2.4.9 or later is needed", table, support)
	}
	return nil
}
