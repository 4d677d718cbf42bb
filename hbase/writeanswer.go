package hbase

import "fmt"

// exchange sends the Multi and reads a result for each of its n rows, in order.
func (w *writer) exchange(addr string, call []piece, n int) []WriteResult {
	size := w.size(call...)
	req := &request{method: methodMulti, size: size, body: func(f *frame) int { return w.encodeMulti(f, call) }}
	resp, err := w.c.pool.call(w.ctx, addr, clientService, size, req)
	var answers []rowAnswer
	if err == nil {
		answers, err = readMulti(resp.body, call)
	}
	if err == nil && len(answers) != n {
		err = &Error{Fault: FaultAmbiguous, Err: fmt.Errorf("writing to %s on %s: %d results for %d rows", w.table, addr, len(answers), n)}
	}
	out := make([]WriteResult, 0, n)
	for _, p := range call {
		if err != nil {
			w.c.learn(w.ctx, p.region, err)
		}
		var told bool // a region's failure is the same for all its rows
		for _, x := range p.idx {
			var res WriteResult
			if err != nil {
				res = failed(err)
			} else {
				res = w.rowResult(p.region, &w.rows[x], &answers[len(out)])
			}
			if err == nil && res.Err != nil && !told {
				w.c.learn(w.ctx, p.region, res.Err)
				told = FaultOf(res.Err) == FaultRelocate
			}
			out = append(out, res)
		}
	}
	return out
}

func failed(err error) WriteResult {
	if FaultOf(err) == FaultAmbiguous {
		return WriteResult{Unknown, err}
	}
	return WriteResult{Refused, err}
}

// rowResult reads the answer to one row.
func (w *writer) rowResult(r *Region, row *RowWrite, a *rowAnswer) WriteResult {
	switch {
	case a.exception != nil:
		return failed(errWhile(rowError(row, a), "writing row %x of %s on %s", row.Row, r.Table, r.Addr))
	case a.shared && a.results == 1:
		return WriteResult{Outcome: Applied}
	case a.shared:
		return w.untold(r, row)
	case a.processed == processedAbsent && row.Condition != nil:
		return WriteResult{Unknown, errUnsupported(r, "conditions in Multi need HBase 2.4")}
	case a.processed == processedYes:
		return WriteResult{Outcome: Applied}
	case a.processed == processedAbsent && a.results == len(row.Mutations):
		return WriteResult{Outcome: Applied} // before 2.4, which knew no "processed"
	case row.Condition == nil:
		return w.untold(r, row)
	}
	return WriteResult{Outcome: Refused}
}

func (w *writer) untold(r *Region, row *RowWrite) WriteResult {
	return failed(&Error{Fault: FaultAmbiguous, Err: fmt.Errorf(
		"writing row %x of %s on %s: the server neither applied nor refused it", row.Row, r.Table, r.Addr)})
}

// rowError sorts an exception of a row whose cells may lie in the cell block, and of one that shares its RegionAction.
func rowError(row *RowWrite, a *rowAnswer) *Error {
	e := pairError(a.exception)
	switch e.Class {
	case javaPrefix + "client.WrongRowIOException":
		// The server has lost its place in the cell block, for the row's cells were its own: it is not at fault.
		// HBase keeps its place since 2.0, whatever fails before.
		if row.Condition == nil {
			e.Fault = FaultAmbiguous
		}
	case javaPrefix + "RegionTooBusyException", javaPrefix + "exceptions.TimeoutIOException":
		// The server tells all rows of a batch the same, though it may have stopped behind the first of its parts.
		if a.shared && !a.whole {
			e.Fault = FaultAmbiguous
		}
	}
	return e
}
