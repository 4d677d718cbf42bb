package hbase

import (
	"encoding/hex"
	"maps"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// sentRows is the transaction in which a row is sent.
func sentRows(t *testing.T, row RowWrite) *pb.MutateRowsRequest {
	t.Helper()
	w := &writer{rows: []RowWrite{row}}
	f := newFrame(0)
	w.encodeRegion(f, piece{region: &Region{Name: []byte("t,,1.x.")}, idx: []int{0}})
	var call pb.CoprocessorServiceRequest
	var rows pb.MutateRowsRequest
	if err := proto.Unmarshal(f.bytes(), &call); err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(call.Call.Request, &rows); err != nil {
		t.Fatal(err)
	}
	return &rows
}

func TestConditionIsWrittenOut(t *testing.T) {
	for _, c := range []struct {
		value    string
		from, to int64
		wantTo   uint64 // 0: no time range
	}{
		{"", 101, 0, math.MaxInt64},
		{"x", 0, 0, 0},
		{"x", 0, 7, 7},
	} {
		w := RowWrite{Row: []byte("r"), Condition: &Condition{Family: []byte("f"), Op: CompareNotEqual, Value: []byte(c.value), From: c.from, To: c.to}}
		p := sentRows(t, w).Condition[0]
		var cmp pb.BinaryComparator
		if err := proto.Unmarshal(p.Comparator.SerializedComparator, &cmp); err != nil || cmp.Comparable == nil ||
			cmp.Comparable.Value == nil || string(cmp.Comparable.Value) != c.value {
			t.Errorf("comparator is %v (%v)", &cmp, err)
		}
		if p.Comparator.GetName() != "org.apache.hadoop.hbase.filter.BinaryComparator" || p.CompareType == nil ||
			p.GetCompareType() != pb.CompareType_NOT_EQUAL || p.Qualifier == nil {
			t.Errorf("condition is %v", p)
		}
		if p.TimeRange.GetTo() != c.wantTo || (p.TimeRange == nil) != (c.wantTo == 0) || p.TimeRange.GetFrom() != uint64(c.from) {
			t.Errorf("time range is %v", p.TimeRange)
		}
	}
}

// The attributes of a Put of the Java client, 2.6.4, after setTTL(2592000000) and setCellVisibility.
func TestAttributesAreThoseOfTheJavaClient(t *testing.T) {
	for expression, visibility := range map[string]string{
		"secret&!public": "0a0e73656372657426217075626c6963",
		`(a|b)&"x y"`:    "0a0b28617c6229262278207922",
		"é":              "0a02c3a9",
	} {
		for _, kind := range []Kind{KindPut, KindIncrement, KindAppend, KindDelete} {
			cell := MutationCell{Column: &Column{[]byte("a"), []byte("1")}, Timestamp: 5, Value: make([]byte, 8)}
			want := map[string]string{"_ttl": "000000009a7ec800", "VISIBILITY": visibility}
			switch kind {
			case KindDelete:
				cell.Type = CellDeleteColumn
			case KindIncrement, KindAppend:
				want["_rr_"] = "00"
			}
			m := Mutation{Kind: kind, TTL: 2592000000, HasTTL: true, Visibility: expression, Cells: []MutationCell{cell}}
			got := map[string]string{}
			for _, a := range sentRows(t, RowWrite{Row: []byte("r"), Mutations: []Mutation{m}}).MutationRequest[0].Attribute {
				got[a.GetName()] = hex.EncodeToString(a.Value)
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s, kind %d: attributes %v, want %v", expression, kind, got, want)
			}
		}
	}
}

func TestMutationCells(t *testing.T) {
	m := Mutation{Kind: KindPut, HasTTL: true, TTL: -2, Cells: []MutationCell{
		{Column: &Column{[]byte("a"), []byte("1")}, Timestamp: 5, Value: []byte("v")},
		{Column: &Column{Family: []byte("a")}, Timestamp: LatestTimestamp},
		{Column: &Column{[]byte("b"), []byte("2")}, Timestamp: 0, Value: []byte("w")},
		{Column: &Column{[]byte("a"), []byte("3")}, Timestamp: 6, Value: []byte("x")},
	}}
	p := sentRows(t, RowWrite{Row: []byte("r"), Mutations: []Mutation{m}}).MutationRequest[0]
	if p.MutateType == nil || p.GetMutateType() != pb.MutationProto_PUT || p.GetDurability() != pb.MutationProto_SYNC_WAL {
		t.Errorf("head is %v", p)
	}
	if a := p.Attribute; len(a) != 1 || a[0].GetName() != "_ttl" || string(a[0].Value) != "\xff\xff\xff\xff\xff\xff\xff\xfe" {
		t.Errorf("attributes are %v", a)
	}
	n := 0
	for _, cv := range p.ColumnValue {
		for _, q := range cv.QualifierValue {
			c := m.Cells[n]
			n++
			if string(cv.Family) != string(c.Family) || string(q.Qualifier) != string(c.Qualifier) || q.Value == nil || string(q.Value) != string(c.Value) {
				t.Errorf("cell %d is %v of %s", n-1, q, cv.Family)
			}
			if c.Timestamp == LatestTimestamp && q.Timestamp != nil || c.Timestamp != LatestTimestamp && (q.Timestamp == nil || q.GetTimestamp() != uint64(c.Timestamp)) {
				t.Errorf("cell %d has timestamp %v, want %d", n-1, q.Timestamp, c.Timestamp)
			}
		}
	}
	if n != 4 || len(p.ColumnValue) != 3 {
		t.Errorf("%d cells in %d families, want 4 in 3", n, len(p.ColumnValue))
	}
	del := sentRows(t, RowWrite{Row: []byte("r"), Mutations: []Mutation{
		{Kind: KindDelete, Cells: []MutationCell{{Column: &Column{Family: []byte("a")}, Timestamp: 9, Type: CellDeleteFamily}}},
	}}).MutationRequest[0]
	if q := del.ColumnValue[0].QualifierValue[0]; q.GetDeleteType() != pb.MutationProto_DELETE_FAMILY || q.Value != nil || q.GetTimestamp() != 9 {
		t.Errorf("delete is %v", q)
	}
}

func TestCheckWrite(t *testing.T) {
	good := marked("r", 1, 2, putCell("q", 1, "v"))
	if err := checkWrite(&good, 1000); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*RowWrite){
		"no row":                  func(w *RowWrite) { w.Row = nil },
		"long row":                func(w *RowWrite) { w.Row = make([]byte, 32768) },
		"no mutation":             func(w *RowWrite) { w.Mutations = nil },
		"no cell":                 func(w *RowWrite) { w.Mutations[0].Cells = nil },
		"delete of the whole row": func(w *RowWrite) { w.Mutations[0] = Mutation{Kind: KindDelete} },
		"unknown kind":            func(w *RowWrite) { w.Mutations[0].Kind = 4 },
		"no family":               func(w *RowWrite) { w.Mutations[0].Cells[0].Family = nil },
		"long family":             func(w *RowWrite) { w.Mutations[0].Cells[0].Family = make([]byte, 128) },
		"negative time":           func(w *RowWrite) { w.Mutations[0].Cells[0].Timestamp = -1 },
		"large cell":              func(w *RowWrite) { w.Mutations[0].Cells[0].Value = make([]byte, 980) },
		"put of a delete":         func(w *RowWrite) { w.Mutations[0].Cells[0].Type = CellDelete },
		"delete of a put":         func(w *RowWrite) { w.Mutations[0].Kind = KindDelete },
		"short increment":         func(w *RowWrite) { w.Mutations[0].Kind = KindIncrement },
		"family delete of a column": func(w *RowWrite) {
			w.Mutations[0].Kind, w.Mutations[0].Cells[0].Type = KindDelete, CellDeleteFamily
		},
		"condition without family": func(w *RowWrite) { w.Condition.Family = nil },
		"unknown comparison":       func(w *RowWrite) { w.Condition.Op = 6 },
		"empty time range":         func(w *RowWrite) { w.Condition.To = 1 },
	} {
		w := marked("r", 1, 2, putCell("q", 1, "v"))
		change(&w)
		if err := checkWrite(&w, 1000); FaultOf(err) != FaultRow {
			t.Errorf("%s: %v, want FaultRow", name, err)
		}
	}
}
