package hbase

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// A RegionAction that rows share is answered row by row, by number and in any order, or as a whole.
func TestWriteReadsSharedAnswers(t *testing.T) {
	type want struct {
		o Outcome
		f Fault
	}
	applied, untold, away, busy := want{Applied, FaultNone}, want{Unknown, FaultAmbiguous}, want{Refused, FaultRelocate}, want{Refused, FaultBusy}
	roe := func(i uint32, x *pb.NameBytesPair) *pb.ResultOrException {
		if x != nil {
			return &pb.ResultOrException{Index: &i, Exception: x}
		}
		return &pb.ResultOrException{Index: &i, Result: &pb.Result{}}
	}
	rows := func(all ...*pb.ResultOrException) *pb.RegionActionResult {
		return &pb.RegionActionResult{ResultOrException: all}
	}
	first := func(class, text string) *pb.RegionActionResult {
		return rows(roe(0, exceptionPair(class, text)), roe(1, nil), roe(2, nil))
	}
	whole := func(class, text string) *pb.RegionActionResult {
		return &pb.RegionActionResult{Exception: exceptionPair(class, text)}
	}
	for name, tc := range map[string]struct {
		res  *pb.RegionActionResult
		want [3]want
	}{
		"applied, out of order":         {rows(roe(2, nil), roe(0, nil), roe(1, nil)), [3]want{applied, applied, applied}},
		"one refused":                   {first("regionserver.NoSuchColumnFamilyException", "x"), [3]want{{Refused, FaultSchema}, applied, applied}},
		"the last refused":              {rows(roe(1, nil), roe(2, exceptionPair("DoNotRetryIOException", "x")), roe(0, nil)), [3]want{applied, applied, {Refused, FaultRow}}},
		"one out of the region":         {first("exceptions.FailedSanityCheckException", "Requested row out of range for x"), [3]want{away, applied, applied}},
		"one not told of":               {rows(roe(0, nil), roe(2, nil)), [3]want{applied, untold, applied}},
		"one told of twice":             {rows(roe(0, nil), roe(2, nil), roe(1, nil), roe(2, nil)), [3]want{applied, applied, untold}},
		"one without result":            {rows(roe(0, nil), &pb.ResultOrException{Index: proto.Uint32(1)}, roe(2, nil)), [3]want{applied, untold, applied}},
		"processed is no word for them": {&pb.RegionActionResult{Processed: proto.Bool(true)}, [3]want{untold, untold, untold}},
		"a number that is none":         {rows(roe(0, nil), roe(1, nil), roe(3, nil)), [3]want{untold, untold, untold}},
		"region away":                   {whole("NotServingRegionException", "x"), [3]want{away, away, away}},
		"region throttled":              {whole("quotas.RpcThrottlingException", "x - wait 1sec"), [3]want{busy, busy, busy}},
		"region too busy":               {whole("RegionTooBusyException", "x"), [3]want{busy, busy, busy}},
		"WAL in trouble":                {first("regionserver.wal.DamagedWALException", "x"), [3]want{untold, applied, applied}},
		// The server tells all rows of a batch the same, though it may have stopped behind a first part of it.
		"batch too busy":    {first("RegionTooBusyException", "x"), [3]want{untold, applied, applied}},
		"batch at its lock": {first("exceptions.TimeoutIOException", "Timed out waiting for lock for row: x"), [3]want{untold, applied, applied}},
		"other rows' cells": {first("client.WrongRowIOException", "x"), [3]want{untold, applied, applied}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFakeServer(t, func(f *fakeConn) {
				multiAnswer(t, f, f.next(), func(int) *pb.RegionActionResult { return tc.res })
				f.drain()
			})
			for i, r := range writeAll(context.Background(), t, fakeClient(t, s.addr, nil), "t", ModeBatch, modeRows(ModeBatch, 3)) {
				if got := (want{r.Outcome, FaultOf(r.Err)}); got != tc.want[i] {
					t.Errorf("row %d: %v (%v), want %v", i, got, r.Err, tc.want[i])
				}
			}
		})
	}
}

// Rows that share come first in their region, and count by a limit of their own.
func TestWriteCutsBatches(t *testing.T) {
	w := &writer{c: &Client{cfg: Config{MaxCallRows: 2, MaxRegionCallRows: 4, MaxCallBytes: 1 << 20}}, mode: ModeBatch}
	var groups []group
	for _, kinds := range []string{"ppp", "accppip", "cc"} { // put, several mutations, condition, increment
		g := group{region: &Region{Addr: "a"}}
		for _, k := range kinds {
			row := RowWrite{Row: []byte{byte(len(w.rows))}, Mutations: []Mutation{putCell("q", 1, "v")}}
			switch k {
			case 'a':
				row.Mutations = append(row.Mutations, putCell("r", 1, "v"))
			case 'i':
				row.Mutations[0].Kind = KindIncrement
			case 'c':
				row.Condition = &Condition{Family: []byte("d")}
			}
			g.idx = append(g.idx, len(w.rows))
			w.rows = append(w.rows, row)
		}
		groups = append(groups, g)
	}
	got := ""
	for _, call := range w.cutServer(groups) {
		for _, p := range call {
			got += fmt.Sprintf("%v%d ", p.idx, p.shared)
		}
		got += "/ "
	}
	if want := "[0 1 2]3 [6]1 / [7 9 3 4]2 / [5 8]0 / [10 11]0 / "; got != want {
		t.Errorf("calls are %s, want %s", got, want)
	}
	groups = nil
	for i := range 2*batchRegions + 1 {
		groups = append(groups, group{region: &Region{Addr: "a"}, idx: []int{i}})
		w.rows = append(w.rows, RowWrite{})
	}
	w.c.cfg.MaxCallRows, w.c.cfg.MaxRegionCallRows = len(groups), len(groups)
	var regions []int
	for _, call := range w.cutServer(groups) {
		regions = append(regions, len(call))
	}
	if want := []int{batchRegions, batchRegions, 1}; !slices.Equal(regions, want) {
		t.Errorf("calls are of %d regions, want %d", regions, want)
	}
}
