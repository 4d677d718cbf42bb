package hbase

import (
	"bytes"
	"encoding/hex"
	"io"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"rowmark/hbase/pb"
)

func TestCellLayout(t *testing.T) {
	c := MutationCell{Column: &Column{[]byte("f"), []byte("q")}, Timestamp: LatestTimestamp, Type: CellPut, Value: []byte("val")}
	got := appendCell(nil, []byte("row"), &c)
	want := "0000001c" + "00000011" + "00000003" + "0003726f77" + "0166" + "71" + "7fffffffffffffff" + "04" + "76616c"
	if hex.EncodeToString(got) != want {
		t.Errorf("cell is %x, want %s", got, want)
	}
	if n := cellSize([]byte("row"), c.Family, c.Qualifier, c.Value); n != len(got)-4 {
		t.Errorf("size is %d, want %d", n, len(got)-4)
	}
	// Tags, which another codec would add, are passed over.
	tagged := append(bytes.Clone(got), 0, 3, 0, 1, 7)
	tagged[3] += 5
	back, rest, err := readCell(tagged)
	if err != nil || len(rest) != 0 || string(back.Value) != "val" {
		t.Errorf("tagged cell is %+v, rest %x (%v)", back, rest, err)
	}
}

func TestCellRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func(name string, most int) []byte { return rapid.SliceOfN(rapid.Byte(), 0, most).Draw(t, name) }
		var block []byte
		var want []Cell
		for range rapid.IntRange(0, 5).Draw(t, "cells") {
			c := Cell{
				Row: part("row", 40), Family: part("family", 127), Qualifier: part("qualifier", 40), Value: part("value", 40),
				Timestamp: rapid.Int64().Draw(t, "timestamp"), Type: CellType(rapid.Byte().Draw(t, "type")),
			}
			block = appendCell(block, c.Row, &MutationCell{&Column{c.Family, c.Qualifier}, c.Timestamp, c.Type, c.Value})
			want = append(want, c)
		}
		r := &cellReader{block}
		got, err := r.take(len(want))
		if err != nil || len(r.rest) != 0 {
			t.Fatalf("reading back: %v, %d bytes left", err, len(r.rest))
		}
		for i, c := range got {
			w := want[i]
			if !bytes.Equal(c.Row, w.Row) || !bytes.Equal(c.Family, w.Family) || !bytes.Equal(c.Qualifier, w.Qualifier) ||
				!bytes.Equal(c.Value, w.Value) || c.Timestamp != w.Timestamp || c.Type != w.Type {
				t.Fatalf("cell %d is %+v, want %+v", i, c, w)
			}
		}
		if len(block) > 0 {
			if _, err := (&cellReader{block[:len(block)-1]}).take(len(want)); err == nil {
				t.Fatal("a cut block was read without an error")
			}
		}
	})
}

func FuzzCellBlock(f *testing.F) {
	c := MutationCell{Column: &Column{[]byte("f"), []byte("q")}, Timestamp: 1, Type: CellPut, Value: []byte("v")}
	good := appendCell(nil, []byte("row"), &c)
	for _, b := range [][]byte{nil, good, append(bytes.Clone(good), good...), good[:len(good)-1], {0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 0}} {
		f.Add(b, 2)
	}
	bad := bytes.Clone(good)
	bad[7] = 0xff
	f.Add(bad, 1)
	bad = bytes.Clone(good)
	bad[12] = 0xff
	f.Add(bad, 1)
	f.Add(good, -1)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		r := &cellReader{b}
		cells, err := r.take(n)
		if err != nil {
			return
		}
		if len(cells) != n {
			t.Fatalf("%d cells, asked for %d", len(cells), n)
		}
		size := 0
		for _, c := range cells {
			size += 4 + cellSize(c.Row, c.Family, c.Qualifier, c.Value)
		}
		if size > len(b)-len(r.rest) {
			t.Fatalf("cells of %d bytes came from %d", size, len(b)-len(r.rest))
		}
	})
}

func FuzzFrame(f *testing.F) {
	whole := answerFrame(7, nil, &pb.GetResponse{Result: &pb.Result{AssociatedCellCount: proto.Int32(1)}}, []byte("cells"))
	thrown := answerFrame(8, &pb.ExceptionResponse{ExceptionClassName: proto.String("a.B")}, nil, nil)
	for _, b := range [][]byte{nil, whole, thrown, whole[:9], append(bytes.Clone(whole), thrown...), {0xff, 0, 0, 0}, {0, 0, 0, 0}, {0x0f, 0xff, 0xff, 0xff, 1}} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		for {
			frame, err := readFrame(r)
			if err != nil {
				if err == io.EOF && r.Len() > 0 {
					t.Fatal("the end was reported before it")
				}
				return
			}
			resp, err := parseFrame(frame)
			if err == nil && len(resp.body)+len(resp.cells) > len(frame) {
				t.Fatal("more came out than went in")
			}
		}
	})
}

func TestFrameArrivesInPieces(t *testing.T) {
	whole := answerFrame(7, nil, &pb.GetResponse{}, []byte("cells"))
	frame, err := readFrame(iotest.OneByteReader(bytes.NewReader(whole)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := parseFrame(frame)
	if err != nil || resp.id != 7 || string(resp.cells) != "cells" {
		t.Errorf("answer is %+v (%v)", resp, err)
	}
	big := answerFrame(1, nil, &pb.GetResponse{}, make([]byte, 3<<20))
	if frame, err := readFrame(iotest.HalfReader(bytes.NewReader(big))); err != nil || len(frame) != len(big)-4 {
		t.Errorf("large frame has %d bytes (%v), want %d", len(frame), err, len(big)-4)
	}
	if _, err := readFrame(bytes.NewReader(big[:len(big)-1])); err != io.ErrUnexpectedEOF {
		t.Errorf("cut frame gives %v", err)
	}
}

func TestParseZNode(t *testing.T) {
	raw, err := proto.Marshal(&pb.ClusterId{ClusterId: proto.String("id")})
	if err != nil {
		t.Fatal(err)
	}
	plain := append([]byte("PBUF"), raw...)
	for name, c := range map[string]struct {
		b  []byte
		ok bool
	}{
		"plain":        {plain, true},
		"with an id":   {append([]byte{0xff, 0, 0, 0, 2, 'i', 'd'}, plain...), true},
		"id cut":       {[]byte{0xff, 0, 0, 0, 9, 'i'}, false},
		"id no length": {[]byte{0xff, 0}, false},
		"no magic":     {raw, false},
		"empty":        {nil, false},
	} {
		var m pb.ClusterId
		if err := parseZNode(c.b, &m); (err == nil) != c.ok || c.ok && m.GetClusterId() != "id" {
			t.Errorf("%s: %v (%v)", name, &m, err)
		}
	}
}
