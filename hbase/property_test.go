package hbase

import (
	"bytes"
	"math"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"rowmark/hbase/pb"
)

// drawWrites makes rows of every kind that checkWrite lets through.
func drawWrites(t *rapid.T) []RowWrite {
	part := func(name string, least, most int) []byte {
		return rapid.SliceOfN(rapid.Byte(), least, most).Draw(t, name)
	}
	family := func() []byte {
		if rapid.Bool().Draw(t, "common family") {
			return []byte("d")
		}
		return part("family", 1, 127)
	}
	stamp := rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Int64Range(0, 300), rapid.Just(LatestTimestamp))
	rows := make([]RowWrite, rapid.IntRange(1, 6).Draw(t, "rows"))
	for i := range rows {
		w := &rows[i]
		w.Row = part("row", 1, 200)
		w.Mutations = make([]Mutation, rapid.IntRange(1, 4).Draw(t, "mutations"))
		for j := range w.Mutations {
			m := &w.Mutations[j]
			m.Kind = Kind(rapid.IntRange(0, int(KindDelete)).Draw(t, "kind"))
			if m.HasTTL = rapid.Bool().Draw(t, "has ttl"); m.HasTTL {
				m.TTL = rapid.Int64().Draw(t, "ttl")
			}
			m.Visibility = rapid.SampledFrom([]string{"", "", "secret&!public"}).Draw(t, "visibility")
			m.Cells = make([]MutationCell, rapid.IntRange(1, 5).Draw(t, "cells"))
			for k := range m.Cells {
				c := MutationCell{Column: &Column{family(), part("qualifier", 0, 150)}, Timestamp: stamp.Draw(t, "timestamp")}
				switch m.Kind {
				case KindDelete:
					c.Type = rapid.SampledFrom([]CellType{CellDelete, CellDeleteColumn, CellDeleteFamily, CellDeleteFamilyVersion}).Draw(t, "delete")
					if c.Type == CellDeleteFamily || c.Type == CellDeleteFamilyVersion {
						c.Qualifier = nil
					}
				case KindIncrement:
					c.Value = part("amount", 8, 8)
				default:
					c.Type = rapid.SampledFrom([]CellType{0, CellPut}).Draw(t, "type")
					c.Value = part("value", 0, 300)
				}
				m.Cells[k] = c
			}
		}
		if rapid.Bool().Draw(t, "has condition") {
			w.Condition = &Condition{Family: family(), Qualifier: part("mark", 0, 40), Op: CompareOp(rapid.IntRange(0, int(CompareGreater)).Draw(t, "comparison")), Value: part("compared", 0, 200)}
			if rapid.Bool().Draw(t, "has from") {
				w.Condition.From = rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "from")
			}
			if rapid.Bool().Draw(t, "has to") {
				w.Condition.To = rapid.Int64Range(w.Condition.From+1, math.MaxInt64).Draw(t, "to")
			}
		}
		if err := checkWrite(w, 1<<20); err != nil {
			t.Fatalf("a row that no Write would send: %v", err)
		}
	}
	return rows
}

// drawCall puts the rows into one or two regions.
func drawCall(t *rapid.T, rows []RowWrite) []piece {
	cut := rapid.IntRange(1, len(rows)).Draw(t, "cut")
	var idx []int
	for i := range rows {
		idx = append(idx, i)
	}
	call := []piece{{region: &Region{Name: rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "region")}, idx: idx[:cut]}}
	if cut < len(rows) {
		call = append(call, piece{region: &Region{Name: []byte("t,m,1.fedcba9876543210fedcba9876543210.")}, idx: idx[cut:]})
	}
	return call
}

// wantParam checks that the frame holds the header, the message, byte for byte as protobuf writes it, and the block.
func wantParam(t *rapid.T, f *frame, header *pb.RequestHeader, want proto.Message, block []byte) {
	b := f.bytes()
	if n := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3]); n != len(b)-4 {
		t.Fatalf("the frame's length says %d, it has %d bytes", n, len(b)-4)
	}
	raw, n := protowire.ConsumeBytes(b[4:])
	if n < 0 {
		t.Fatal("the header is cut")
	}
	if len(block) > 0 {
		header.CellBlockMeta = &pb.CellBlockMeta{Length: proto.Uint32(uint32(len(block)))}
	}
	wantMessage(t, raw, header)
	rest := b[4+n:]
	if raw, n = protowire.ConsumeBytes(rest); n < 0 {
		t.Fatal("the parameter is cut")
	}
	wantMessage(t, raw, want)
	if !bytes.Equal(rest[n:], block) {
		t.Fatalf("the cell block is %x, want %x", rest[n:], block)
	}
}

func wantMessage(t *rapid.T, raw []byte, want proto.Message) {
	got := want.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(raw, got); err != nil || !proto.Equal(got, want) {
		t.Fatalf("message is %v (%v), want %v", got, err, want)
	}
	same, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
	if err != nil || !bytes.Equal(raw, same) {
		t.Fatalf("message is %x, protobuf writes %x (%v)", raw, same, err)
	}
}

func TestWritesAreEncodedAsProtobufDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &writer{rows: drawWrites(rt)}
		call := drawCall(rt, w.rows)
		if rapid.Bool().Draw(rt, "batch") {
			w.mode = ModeBatch
			for i := range call {
				call[i].shared = w.shareFirst(call[i].idx)
			}
		}
		id := rapid.Uint32Range(0, math.MaxInt32).Draw(rt, "id")
		ms := rapid.Uint32Range(1, math.MaxUint32).Draw(rt, "timeout")
		// A hint that falls short makes the frame grow on the way.
		hint := rapid.SampledFrom([]int{0, 5000, 100000}).Draw(rt, "size")
		build := func(method string, priority uint32, body func(*frame) int) (*frame, *pb.RequestHeader) {
			f, err := newCallFrame(id, time.Duration(ms)*time.Millisecond, &request{method: method, priority: priority, body: body, size: hint})
			if err != nil {
				rt.Fatal(err)
			}
			h := &pb.RequestHeader{CallId: &id, MethodName: &method, RequestParam: proto.Bool(true), Timeout: &ms}
			if priority > 0 {
				h.Priority = &priority
			}
			return f, h
		}
		f, header := build("Multi", rapid.SampledFrom([]uint32{0, highPriority}).Draw(rt, "priority"), func(f *frame) int { return w.encodeMulti(f, call) })
		req, block := pbMulti(t, call, w.rows)
		wantParam(rt, f, header, req, block)
		f.free()
		for _, p := range call {
			f, header = build("ExecService", 0, func(f *frame) int { w.encodeRegion(f, p); return 0 })
			wantParam(rt, f, header, pbExecService(t, p.region, w.rows[p.idx[0]].Row, pbMutateRows(t, p, w.rows)), nil)
			f.free()
		}
	})
}

// The message of a call that is not written by hand.
func TestFrameOfAMessage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		get := &pb.GetRequest{Region: (&Region{Name: []byte("t,,1.x.")}).specifier(), Get: pbGet(&Get{Row: rapid.SliceOfN(rapid.Byte(), 1, 6000).Draw(rt, "row")})}
		f, err := newCallFrame(7, time.Microsecond, &request{method: "Get", param: get})
		if err != nil {
			rt.Fatal(err)
		}
		defer f.free()
		wantParam(rt, f, &pb.RequestHeader{CallId: proto.Uint32(7), MethodName: proto.String("Get"), RequestParam: proto.Bool(true), Timeout: proto.Uint32(1)}, get, nil)
	})
}

// drawAnswer makes one row's answer, of a server old or new.
func drawAnswer(t *rapid.T) *pb.RegionActionResult {
	pair := func(name string) *pb.NameBytesPair {
		if rapid.IntRange(0, 3).Draw(t, name) > 0 {
			return nil
		}
		return exceptionPair(rapid.SampledFrom([]string{"NotServingRegionException", "x"}).Draw(t, "class"), "text")
	}
	res := &pb.RegionActionResult{Exception: pair("exception")}
	if rapid.Bool().Draw(t, "says processed") {
		res.Processed = proto.Bool(rapid.Bool().Draw(t, "processed"))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "results") {
		res.ResultOrException = append(res.ResultOrException, &pb.ResultOrException{
			Index: proto.Uint32(uint32(i)), Result: &pb.Result{}, Exception: pair("exception of a mutation"),
		})
	}
	return res
}

// sameAnswer says whether the answer read by hand is the message.
func sameAnswer(a *rowAnswer, res *pb.RegionActionResult) bool {
	x := res.Exception
	for _, roe := range res.ResultOrException {
		if x == nil {
			x = roe.Exception
		}
	}
	said := processedAbsent
	if res.Processed != nil {
		said = processedNo
	}
	if res.GetProcessed() {
		said = processedYes
	}
	return (x == nil) == (a.exception == nil) && proto.Equal(x, a.exception) && a.results == len(res.ResultOrException) && a.processed == said
}

// aloneIn is a call of n rows that each go alone.
func aloneIn(n int) []piece { return []piece{{idx: make([]int, n)}} }

func checkAnswer(t rapid.TB, raw []byte) {
	var m pb.MultiResponse
	want := proto.Unmarshal(raw, &m)
	got, err := readMulti(raw, aloneIn(max(5, len(m.RegionActionResult))))
	if want != nil {
		return // what a message that writes don't look at holds is not checked
	}
	if err != nil || len(got) != len(m.RegionActionResult) {
		t.Fatalf("%x gives %d answers (%v), want %v", raw, len(got), err, &m)
	}
	for i := range got {
		if !sameAnswer(&got[i], m.RegionActionResult[i]) {
			t.Fatalf("answer %d of %x is %+v, want %v", i, raw, got[i], m.RegionActionResult[i])
		}
	}
}

func TestMultiAnswerIsReadAsProtobufDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &pb.MultiResponse{}
		for range rapid.IntRange(0, 5).Draw(rt, "rows") {
			m.RegionActionResult = append(m.RegionActionResult, drawAnswer(rt))
		}
		raw := pbBytes(t, m)
		checkAnswer(rt, raw)
		if len(raw) > 0 {
			cut := raw[:rapid.IntRange(0, len(raw)-1).Draw(rt, "cut")]
			checkAnswer(rt, cut)
			if got, err := readMulti(cut, aloneIn(5)); err == nil && len(got) >= len(m.RegionActionResult) {
				rt.Fatalf("%d answers came out of the cut %x", len(got), cut)
			}
		}
	})
}

func FuzzMultiAnswer(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x0a, 2, 0x18, 1})
	f.Add([]byte{0x0a, 0xff})
	f.Add([]byte{0x0a, 4, 0x0a, 2, 8, 0, 0x0b, 0x0c})
	f.Add([]byte{0x0a, 10, 0x12, 3, 0x0a, 1, 'x', 0x12, 3, 0x12, 1, 'y'})
	f.Fuzz(func(t *testing.T, raw []byte) { checkAnswer(t, raw) })
}
