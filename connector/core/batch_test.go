package core

import (
	"errors"
	"testing"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// One cell that is too large fails all rows of a batch: each goes by itself before any is taken to be wrong.
func TestBadRowOfABatchIsSoughtByRows(t *testing.T) {
	r := newRig(t, func(cfg *Config) {
		cfg.AtLeastOnce = true
		cfg.Tables = map[string]TableInfo{"tab": {Mode: hbase.ModeBatch}}
	})
	r.start(Checkpoint{}, LogInfo{LogEnd: 2, End: 2})
	good, bad := put(0, "a"), put(1, "b")
	good.Result.OnError, bad.Result.OnError = mapping.OnErrorSkip, mapping.OnErrorSkip
	r.fetched(2, 2, good, bad)
	tooLarge := hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultRow, Err: errors.New("too large")}}
	answer := func(mode hbase.Mode, res ...hbase.WriteResult) {
		t.Helper()
		w := want[Write](r)
		if w.Mode != mode || len(w.Groups) != len(res) {
			t.Fatalf("a write of %d rows in mode %d, want %d in mode %d", len(w.Groups), w.Mode, len(res), mode)
		}
		r.step(Written{Groups: w.Groups, Results: res})
	}
	answer(hbase.ModeBatch, tooLarge, tooLarge)
	if n := r.core.Stats().Skipped; n != 0 {
		t.Fatalf("%d records are skipped for a batch", n)
	}
	answer(hbase.ModeRow, applied, tooLarge)
	if s := r.core.Stats(); s.Rows != 1 || s.Skipped != 1 {
		t.Fatalf("%d rows written, %d records skipped, want one each", s.Rows, s.Skipped)
	}
	if rep := r.reported(ReportSkipped); rep == nil || rep.Offset != 1 {
		t.Fatalf("told of %+v, want a skip at offset 1", rep)
	}
}
