package hbase

import (
	"errors"

	"rowmark/hbase/pb"
)

// scanResult is one Result of a scan's answer: a row, or a part of one.
type scanResult struct {
	cells   []Cell
	partial bool // more cells of this row may follow; it may also be a false alarm
}

// scanResults splits an answer's cells by the counts in its message.
func scanResults(m *pb.ScanResponse, block []byte) ([]scanResult, error) {
	partial := func(i int) bool { return i < len(m.PartialFlagPerResult) && m.PartialFlagPerResult[i] }
	r := &cellReader{block}
	if len(m.Results) > 0 {
		out := make([]scanResult, len(m.Results))
		for i, res := range m.Results {
			cells, err := resultCells(res, r)
			if err != nil {
				return nil, err
			}
			out[i] = scanResult{cells, partial(i) || res.GetPartial()}
		}
		return out, nil
	}
	out := make([]scanResult, len(m.CellsPerResult))
	for i, n := range m.CellsPerResult {
		cells, err := r.take(int(n))
		if err != nil {
			return nil, &Error{Fault: FaultAmbiguous, Err: err}
		}
		out[i] = scanResult{cells, partial(i)}
	}
	if len(r.rest) > 0 {
		return nil, &Error{Fault: FaultAmbiguous, Err: errors.New("reading a scan's answer: more cells than its results claim")}
	}
	return out, nil
}
