package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// sinkRows are what one Write of the benchmark holds.
const sinkRows = 4000

// sinkClient is a client of a server that says yes to all and does nothing else, and the rows to write to it; bare
// ones are one put without a condition, so that their cells are in the cell block.
func sinkClient(t testing.TB, bare bool) (*Client, []RowWrite) {
	c := fakeClient(t, newFakeServer(t, sink).addr, nil)
	rows := make([]RowWrite, sinkRows)
	for i, n := range rand.New(rand.NewPCG(1, 2)).Perm(sinkRows) {
		if rows[i] = benchRow(fmt.Sprintf("%02x-customer-%09d", n%16, n)); bare {
			w := &rows[i]
			w.Condition = nil
			w.Mutations = append(w.Mutations[:0], Mutation{Kind: KindPut, Cells: append(w.Mutations[0].Cells, w.Mutations[1].Cells...)})
		}
	}
	return c, rows
}

func writeToSink(t testing.TB, c *Client, mode Mode, rows []RowWrite) {
	c.Write(context.Background(), "t", mode, rows, func(_ []int, res []WriteResult) {
		for _, r := range res {
			if r.Outcome != Applied {
				t.Errorf("outcome %d: %v", r.Outcome, r.Err)
				return
			}
		}
	})
}

var sinkCases = []struct {
	name string
	mode Mode
	bare bool
}{
	{"region", ModeRegion, false},
	{"row", ModeRow, false},
	{"puts", ModeBatch, true},
	{"puts row by row", ModeRow, true},
}

// BenchmarkWrite measures the client alone: sorting, checking, cutting, encoding, sending and reading the answers of
// marked rows of 5 columns. One op is a row.
func BenchmarkWrite(b *testing.B) {
	for _, bc := range sinkCases {
		b.Run(bc.name, func(b *testing.B) {
			c, rows := sinkClient(b, bc.bare)
			writeToSink(b, c, bc.mode, rows) // connects, and fills what is pooled
			b.ReportAllocs()
			b.ResetTimer()
			for left := b.N; left > 0; left -= sinkRows {
				writeToSink(b, c, bc.mode, rows[:min(left, sinkRows)])
			}
		})
	}
}

// The write path allocates by the call, not by the row, cell or message.
func TestWriteAllocatesByTheCall(t *testing.T) {
	for _, tc := range sinkCases {
		t.Run(tc.name, func(t *testing.T) {
			c, rows := sinkClient(t, tc.bare)
			const aCall = 50 // objects
			calls := float64(sinkRows / 100)
			if tc.mode == ModeBatch {
				calls = sinkRows / 2000
			}
			if n := testing.AllocsPerRun(5, func() { writeToSink(t, c, tc.mode, rows) }); n > calls*aCall {
				t.Errorf("a Write of %d rows allocates %.0f objects", sinkRows, n)
			} else {
				t.Logf("%.0f objects for %d rows", n, sinkRows)
			}
		})
	}
}

// sink answers every write with success, as a server that has conditions does. It allocates nothing by the row.
func sink(f *fakeConn) {
	var frame []byte
	raw, err := proto.Marshal(&pb.MutateRowsResponse{Processed: proto.Bool(true)})
	if err != nil {
		panic(err)
	}
	region := (&Region{Name: []byte("t,,1.0123456789abcdef0123456789abcdef.")}).specifier()
	transaction := answerFrame(0x7f, nil, &pb.CoprocessorServiceResponse{Region: region, Value: &pb.NameBytesPair{Name: proto.String("x"), Value: raw}}, nil)
	answers := map[int][]byte{} // of a Multi, by its number of rows, below 0 if they share a RegionAction
	for {
		var head [4]byte
		if _, err := io.ReadFull(f.r, head[:]); err != nil {
			return
		}
		n := int(binary.BigEndian.Uint32(head[:]))
		if cap(frame) < n {
			frame = make([]byte, n)
		}
		frame = frame[:n]
		if _, err := io.ReadFull(f.r, frame); err != nil {
			return
		}
		header, n := protowire.ConsumeBytes(frame)
		id, method := sinkHeader(header)
		if method != methodMulti {
			f.send(withID(transaction, id))
			continue
		}
		param, _ := protowire.ConsumeBytes(frame[n:])
		count, shared := sinkMulti(param)
		if shared {
			count = -count
		}
		if answers[count] == nil {
			resp := &pb.MultiResponse{}
			if shared {
				all := &pb.RegionActionResult{}
				for i := range -count {
					all.ResultOrException = append(all.ResultOrException, &pb.ResultOrException{Index: proto.Uint32(uint32(i)), Result: &pb.Result{}})
				}
				resp.RegionActionResult = append(resp.RegionActionResult, all)
			}
			for range count {
				resp.RegionActionResult = append(resp.RegionActionResult, &pb.RegionActionResult{
					Processed:         proto.Bool(true),
					ResultOrException: []*pb.ResultOrException{{Index: proto.Uint32(0), Result: &pb.Result{}}},
				})
			}
			answers[count] = answerFrame(0x7f, nil, resp, nil)
		}
		f.send(withID(answers[count], id))
	}
}

// sinkMulti counts the rows of a Multi: its RegionActions, or the actions of its one RegionAction that is not atomic.
func sinkMulti(param []byte) (rows int, shared bool) {
	for len(param) > 0 {
		raw, n := protowire.ConsumeBytes(param[1:])
		param = param[1+n:]
		rows++
		actions, atomic := 0, false
		for len(raw) > 0 {
			num, typ, n := protowire.ConsumeTag(raw)
			raw = raw[n+protowire.ConsumeFieldValue(num, typ, raw[n:]):]
			if num == 3 {
				actions++
			}
			atomic = atomic || num == 2
		}
		if !atomic {
			return actions, true
		}
	}
	return rows, false
}

// sinkHeader takes call id and method off a request header.
func sinkHeader(b []byte) (id uint64, method string) {
	id, n := protowire.ConsumeVarint(b[1:])
	raw, _ := protowire.ConsumeBytes(b[n+2:])
	if string(raw) == methodMulti {
		return id, methodMulti
	}
	return id, ""
}

// withID gives a copy of an answer made for call 0x7f the id of another call.
func withID(answer []byte, id uint64) []byte {
	_, n := protowire.ConsumeVarint(answer[4:])
	rest := answer[4+n+2:] // behind the header of two bytes: tag and id
	varint := protowire.AppendVarint(nil, id)
	b := make([]byte, 4, len(rest)+16)
	b = append(b, byte(1+len(varint)), 0x08)
	b = append(append(b, varint...), rest...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}
