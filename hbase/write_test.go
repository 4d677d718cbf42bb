package hbase

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// fakeRows are conditional writes to the fake server's table.
func fakeRows(n int) []RowWrite {
	rows := make([]RowWrite, n)
	for i := range rows {
		rows[i] = marked(fmt.Sprintf("r%03d", i), 1, 2, putCell("q", 1, "v"))
	}
	return rows
}

// modeRows are writes that travel in the manner of the mode: without a condition in ModeBatch.
func modeRows(mode Mode, n int) []RowWrite {
	rows := fakeRows(n)
	for i := range rows {
		if mode == ModeBatch {
			rows[i].Condition, rows[i].Mutations = nil, rows[i].Mutations[:1]
		}
	}
	return rows
}

// allModes runs a test in each mode of Write.
func allModes(t *testing.T, f func(t *testing.T, mode Mode)) {
	bothModes(t, f)
	t.Run("batch", func(t *testing.T) { f(t, ModeBatch) })
}

// multiAnswer answers a Multi, each row by f.
func multiAnswer(t *testing.T, f *fakeConn, c *fakeCall, answer func(i int) *pb.RegionActionResult) {
	var req pb.MultiRequest
	if err := proto.Unmarshal(c.param, &req); err != nil {
		t.Errorf("Multi cannot be read: %v", err)
		return
	}
	resp := &pb.MultiResponse{}
	for i := range req.RegionAction {
		resp.RegionActionResult = append(resp.RegionActionResult, answer(i))
	}
	f.answer(c, resp)
}

func exceptionPair(class, text string) *pb.NameBytesPair {
	return &pb.NameBytesPair{Name: proto.String(javaPrefix + class), Value: []byte(javaPrefix + class + ": " + text + "\n\tat x")}
}

func wantAll(t *testing.T, res []WriteResult, o Outcome, f Fault) {
	t.Helper()
	for i, r := range res {
		if r.Outcome != o || FaultOf(r.Err) != f {
			t.Errorf("row %d: outcome %d, fault %d (%v); want %d, %d", i, r.Outcome, FaultOf(r.Err), r.Err, o, f)
		}
	}
}

func TestWriteWhenTheServerFails(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := ln.Addr().String()
	_ = ln.Close()
	throw := func(class, text string) func(*fakeConn) {
		return func(f *fakeConn) {
			for c := f.next(); c != nil; c = f.next() {
				f.throw(c.header.GetCallId(), class, text)
			}
		}
	}
	cases := []struct {
		name    string
		handle  func(*fakeConn) // nil: nobody listens
		outcome Outcome
		fault   Fault
	}{
		{"nobody there", nil, Refused, FaultConnect},
		{"reset after the call was read", func(f *fakeConn) { f.next(); f.reset() }, Unknown, FaultAmbiguous},
		{"closed without answer", func(f *fakeConn) { f.next() }, Unknown, FaultAmbiguous},
		{"connection error", func(f *fakeConn) { f.next(); f.throw(connErrorID, javaPrefix+"ipc.FatalConnectionException", "x") }, Unknown, FaultAmbiguous},
		{"no answer in time", func(f *fakeConn) { f.drain() }, Unknown, FaultAmbiguous},
		{"whole call IOException", throw("java.io.IOException", "x"), Unknown, FaultAmbiguous},
		{"whole call NotServingRegion", throw(javaPrefix+"NotServingRegionException", "x"), Refused, FaultRelocate},
		{"whole call CallQueueTooBig", throw(javaPrefix+"CallQueueTooBigException", "x"), Refused, FaultBusy},
		{"whole call RegionServerStopped", throw(javaPrefix+"regionserver.RegionServerStoppedException", "x"), Refused, FaultRelocate},
		{"nonsense answer", func(f *fakeConn) {
			c := f.next()
			f.answer(c, &pb.NameStringPair{Name: proto.String("\xff\xff"), Value: proto.String("y")})
			f.drain()
		}, Unknown, FaultAmbiguous},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			allModes(t, func(t *testing.T, mode Mode) {
				addr := nobody
				if tc.handle != nil {
					addr = newFakeServer(t, tc.handle).addr
				}
				c := fakeClient(t, addr, func(cfg *Config) {
					if tc.name == "no answer in time" {
						cfg.RPCTimeout = 100 * time.Millisecond
					}
				})
				wantAll(t, writeAll(context.Background(), t, c, "t", mode, modeRows(mode, 5)), tc.outcome, tc.fault)
			})
		})
	}
}

func TestWriteReadsEachRowsAnswer(t *testing.T) {
	yes, no := proto.Bool(true), proto.Bool(false)
	answers := []*pb.RegionActionResult{
		{Processed: yes},
		{Processed: no},
		{},
		{Exception: exceptionPair("NotServingRegionException", "t is not online")},
		{Exception: exceptionPair("RegionTooBusyException", "over memstore limit")},
		{Exception: exceptionPair("regionserver.RegionServerAbortedException", "x")},
		{Exception: exceptionPair("exceptions.TimeoutIOException", "Timed out waiting for lock for row: x")},
		{Exception: exceptionPair("exceptions.TimeoutIOException", "x")},
		{Exception: &pb.NameBytesPair{Name: proto.String("java.io.IOException")}},
		{ResultOrException: []*pb.ResultOrException{{Exception: exceptionPair("DoNotRetryIOException", "Field is not a long")}}},
		{Exception: exceptionPair("quotas.RpcThrottlingException", "number of requests exceeded - wait 1sec, 250ms")},
	}
	want := []struct {
		o Outcome
		f Fault
	}{
		{Applied, FaultNone},
		{Refused, FaultNone},
		{Unknown, FaultUnsupported},
		{Refused, FaultRelocate},
		{Refused, FaultBusy},
		{Unknown, FaultAmbiguous},
		{Refused, FaultBusy},
		{Unknown, FaultAmbiguous},
		{Unknown, FaultAmbiguous},
		{Refused, FaultRow},
		{Refused, FaultBusy},
	}
	s := newFakeServer(t, func(f *fakeConn) {
		for c := f.next(); c != nil; c = f.next() {
			multiAnswer(t, f, c, func(i int) *pb.RegionActionResult { return answers[i] })
		}
	})
	c := fakeClient(t, s.addr, nil)
	res := writeAll(context.Background(), t, c, "t", ModeRow, fakeRows(len(answers)))
	for i, r := range res {
		if r.Outcome != want[i].o || FaultOf(r.Err) != want[i].f {
			t.Errorf("row %d: outcome %d, fault %d (%v); want %d, %d", i, r.Outcome, FaultOf(r.Err), r.Err, want[i].o, want[i].f)
		}
	}
	if e := asError(res[10].Err); e == nil || e.Wait != 1250*time.Millisecond {
		t.Errorf("throttled row: %v", res[10].Err)
	}
	if c.cache.find("t", []byte("r")) != nil {
		t.Error("the place is still remembered after NotServingRegionException")
	}
}

func TestWriteRegionAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		processed *bool
		o         Outcome
		f         Fault
	}{
		"applied": {proto.Bool(true), Applied, FaultNone},
		"refused": {proto.Bool(false), Refused, FaultNone},
		"absent":  {nil, Unknown, FaultUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := proto.Marshal(&pb.MutateRowsResponse{Processed: tc.processed})
			if err != nil {
				t.Fatal(err)
			}
			s := newFakeServer(t, func(f *fakeConn) {
				c := f.next()
				var req pb.CoprocessorServiceRequest
				var rows pb.MutateRowsRequest
				if proto.Unmarshal(c.param, &req) != nil || proto.Unmarshal(req.Call.Request, &rows) != nil || len(rows.Condition) != 3 || len(rows.MutationRequest) != 6 {
					t.Errorf("request is %v, want 3 conditions and 6 mutations", &rows)
				}
				for _, m := range rows.MutationRequest {
					if m.GetDurability() != pb.MutationProto_SYNC_WAL {
						t.Errorf("a mutation has durability %v", m.GetDurability())
					}
				}
				f.answer(c, &pb.CoprocessorServiceResponse{Region: req.Region, Value: &pb.NameBytesPair{Name: proto.String("x"), Value: raw}})
				f.drain()
			})
			wantAll(t, writeAll(context.Background(), t, fakeClient(t, s.addr, nil), "t", ModeRegion, fakeRows(3)), tc.o, tc.f)
		})
	}
}

func TestWriteFollowsTheHintOfAMove(t *testing.T) {
	var second *fakeServer
	s := newFakeServer(t, func(f *fakeConn) {
		c := f.next()
		_, port, _ := net.SplitHostPort(second.addr)
		multiAnswer(t, f, c, func(int) *pb.RegionActionResult {
			return &pb.RegionActionResult{Exception: exceptionPair("exceptions.RegionMovedException",
				"Region moved to: hostname=127.0.0.1 port="+port+" startCode=17. As of locationSeqNum=9.")}
		})
		f.drain()
	})
	second = newFakeServer(t, func(f *fakeConn) {
		for c := f.next(); c != nil; c = f.next() {
			multiAnswer(t, f, c, func(int) *pb.RegionActionResult { return &pb.RegionActionResult{Processed: proto.Bool(true)} })
		}
	})
	c := fakeClient(t, s.addr, nil)
	wantAll(t, writeAll(context.Background(), t, c, "t", ModeRow, fakeRows(3)), Refused, FaultRelocate)
	wantAll(t, writeAll(context.Background(), t, c, "t", ModeRow, fakeRows(3)), Applied, FaultNone)
}

func TestWriteEndsWithItsContext(t *testing.T) {
	s := newFakeServer(t, func(f *fakeConn) { f.drain() })
	allModes(t, func(t *testing.T, mode Mode) {
		c := fakeClient(t, s.addr, func(cfg *Config) { cfg.MaxCallsPerServer = 1; cfg.MaxCallRows = 1; cfg.MaxRegionCallRows = 1 })
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		res := writeAll(ctx, t, c, "t", mode, modeRows(mode, 3))
		count := map[Outcome]int{}
		for _, r := range res {
			count[r.Outcome]++
			if r.Outcome == Refused && FaultOf(r.Err) != FaultConnect {
				t.Errorf("what was not sent is %v", r)
			}
		}
		if count[Unknown] != 1 || count[Refused] != 2 {
			t.Errorf("outcomes are %v, want one unknown and two refused", count)
		}
		c.cache.put(&Region{Table: "t", Name: []byte("t,,1.x."), Addr: s.addr}) // doubted after the timeout
		wantAll(t, writeAll(ctx, t, c, "t", mode, fakeRows(3)), Refused, FaultConnect)
	})
}

func TestWriteCutsCalls(t *testing.T) {
	for _, tc := range []struct {
		name        string
		rows, bytes int // limits
		mode        Mode
		want        int // calls for 10 rows of about 1 kB
	}{
		{"one call", 100, 1 << 20, ModeRow, 1},
		{"by rows", 3, 1 << 20, ModeRow, 4},
		{"by bytes", 100, 3000, ModeRow, 5},
		{"each alone", 100, 1, ModeRow, 10},
		{"region by rows", 3, 1 << 20, ModeRegion, 4},
		{"region by bytes", 100, 3000, ModeRegion, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &writer{c: &Client{cfg: Config{MaxCallRows: tc.rows, MaxRegionCallRows: tc.rows, MaxCallBytes: tc.bytes}}, mode: tc.mode}
			w.rows = fakeRows(10)
			g := group{region: &Region{Addr: "a"}}
			for i := range w.rows {
				w.rows[i].Mutations[0].Cells[0].Value = make([]byte, 750)
				g.idx = append(g.idx, i)
			}
			var calls [][]piece
			if tc.mode == ModeRow {
				// The same rows as two regions of one server.
				calls = w.cutServer([]group{{g.region, g.idx[:5]}, {&Region{Addr: "a"}, g.idx[5:]}})
			} else {
				for _, p := range w.cutRegion(g) {
					calls = append(calls, []piece{p})
				}
			}
			var seen []int
			for _, call := range calls {
				n := 0
				for _, p := range call {
					n += len(p.idx)
					seen = append(seen, p.idx...)
				}
				if n == 0 || n > tc.rows {
					t.Errorf("a call of %d rows", n)
				}
			}
			if len(calls) != tc.want || fmt.Sprint(seen) != fmt.Sprint(g.idx) {
				t.Errorf("%d calls with rows %v, want %d", len(calls), seen, tc.want)
			}
		})
	}
}
