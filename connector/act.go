package connector

import (
	"context"
	"fmt"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// act begins what the core asks for. It never blocks: the answers come as events.
func (e *Engine) act(a core.Action) {
	switch a := a.(type) {
	case core.Fetch:
		e.fetch(a)
	case core.CancelFetch:
		e.reader.Cancel(a.TopicPartition)
		e.fetches.cancel(a.TopicPartition)
	case core.Report:
		e.report(a)
	case core.Write:
		e.calls.Go(func() { e.write(a) })
	case core.Look:
		e.calls.Go(func() { e.look(a) })
	case *core.CheckWitness:
		e.calls.Go(func() { e.witness(a) })
	case core.ReadLog:
		e.calls.Go(func() { e.readLog(a) })
	case core.ReadCheckpoint:
		e.calls.Go(func() { e.readCheckpoint(a) })
	case core.SwapCheckpoint:
		e.calls.Go(func() { e.swapCheckpoint(a) })
	default:
		panic(fmt.Sprintf("the core asked for an action of unknown type %T", a))
	}
}

func (e *Engine) call() (context.Context, context.CancelFunc) {
	return context.WithTimeout(e.ctx, e.opts.CallTimeout)
}

func (e *Engine) readCheckpoint(a core.ReadCheckpoint) {
	ctx, cancel := e.call()
	defer cancel()
	row, err := e.store.Read(ctx, a.TopicPartition)
	e.seen.hbase.answered(err)
	e.post(core.CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Row: row, Err: err})
}

func (e *Engine) swapCheckpoint(a core.SwapCheckpoint) {
	ctx, cancel := e.call()
	defer cancel()
	res := e.store.Swap(ctx, a.TopicPartition, a.Expect, a.Put)
	e.seen.hbase.answered(res.Err)
	e.post(core.Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: res})
}

// write sends one batch and posts the outcome of each call as it ends.
func (e *Engine) write(a core.Write) {
	if err := e.tables.check(e, a.Table, a.Mode); err != nil {
		res := make([]hbase.WriteResult, len(a.Groups))
		for i := range res {
			res[i] = hbase.WriteResult{Outcome: hbase.Refused, Err: err}
		}
		e.post(core.Written{Groups: a.Groups, Results: res})
		return
	}
	ctx, cancel := e.call()
	defer cancel()
	letters := e.writesLetters(a.Table)
	if letters {
		if a.Groups = e.tellTopic(ctx, a.Groups); len(a.Groups) == 0 {
			return
		}
	}
	rows := make([]hbase.RowWrite, len(a.Groups))
	for i, g := range a.Groups {
		rows[i] = g.Write
	}
	e.hbase.Write(ctx, a.Table, a.Mode, rows, func(idx []int, res []hbase.WriteResult) {
		groups := make([]*core.Group, len(idx))
		for i, n := range idx {
			groups[i] = a.Groups[n]
			e.tables.note(a.Table, res[i].Err)
			if letters {
				e.sent.settle(rows[n].Row, res[i])
			}
		}
		e.post(core.Written{Groups: groups, Results: res})
	})
}

// look reads the marks of rows.
func (e *Engine) look(a core.Look) {
	ctx, cancel := e.call()
	defer cancel()
	ev := core.Looked{Rows: a.Rows, Marks: make([]core.Mark, len(a.Rows)), Errs: make([]error, len(a.Rows))}
	gets := make([]hbase.Get, len(a.Rows))
	for i, r := range a.Rows {
		gets[i] = e.markGet(r.Row, r.Name)
	}
	rows, errs := e.hbase.GetAll(ctx, a.Rows[0].Table, gets)
	for i := range a.Rows {
		if errs[i] != nil {
			ev.Errs[i] = errs[i]
			e.tables.note(a.Rows[i].Table, errs[i])
			continue
		}
		ev.Marks[i], ev.Errs[i] = markOf(rows[i])
	}
	e.post(ev)
}

func (e *Engine) witness(a *core.CheckWitness) {
	ctx, cancel := e.call()
	defer cancel()
	row, err := e.hbase.Get(ctx, a.Table, e.markGet(a.Row, a.Name))
	ev := core.Witnessed{Check: a, Err: err}
	if err == nil {
		var m core.Mark
		m, ev.Err = markOf(row)
		ev.Mark = m.Next
	}
	e.tables.note(a.Table, err)
	e.post(ev)
}

func (e *Engine) markGet(row []byte, name string) hbase.Get {
	return hbase.Get{Row: row, Columns: []hbase.Column{{Family: []byte(e.opts.MarkFamily), Qualifier: []byte(name)}}}
}

// markOf reads the mark in an answer.
func markOf(row hbase.Row) (core.Mark, error) {
	if len(row.Cells) == 0 {
		return core.Mark{}, nil
	}
	m, err := core.ReadMark(&row.Cells[0])
	if err != nil {
		return m, fmt.Errorf("row %x: %w", row.Cells[0].Row, err)
	}
	return m, nil
}
