package hbasetest

import (
	"encoding/binary"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// rawClient sends what package hbase never sends.
type rawClient struct {
	t  *testing.T
	nc net.Conn
	id uint32
}

func dialRaw(t *testing.T, addr, preamble string) *rawClient {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nc.Close() })
	_ = nc.SetDeadline(time.Now().Add(20 * time.Second))
	raw, err := proto.Marshal(&pb.ConnectionHeader{ServiceName: proto.String("ClientService")})
	if err != nil {
		t.Fatal(err)
	}
	b := binary.BigEndian.AppendUint32([]byte(preamble), uint32(len(raw)))
	if _, err := nc.Write(append(b, raw...)); err != nil {
		t.Fatal(err)
	}
	return &rawClient{t: t, nc: nc}
}

// call sends a request and reads its answer into resp, or gives the exception.
func (c *rawClient) call(method string, req, resp proto.Message, cells ...hbase.Cell) *pb.ExceptionResponse {
	c.t.Helper()
	c.id++
	h := &pb.RequestHeader{CallId: &c.id, MethodName: &method, RequestParam: proto.Bool(true)}
	block := encodeCells(nil, cells)
	if len(block) > 0 {
		h.CellBlockMeta = &pb.CellBlockMeta{Length: proto.Uint32(uint32(len(block)))}
	}
	b := append(protowireDelimited(protowireDelimited(make([]byte, 4), h), req), block...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	if _, err := c.nc.Write(b); err != nil {
		c.t.Fatal(err)
	}
	return c.answer(resp)
}

func (c *rawClient) answer(resp proto.Message) *pb.ExceptionResponse {
	c.t.Helper()
	frame, err := readPacket(c.nc, maxFrame)
	if err != nil {
		c.t.Fatal(err)
	}
	raw, n := protowire.ConsumeBytes(frame)
	var h pb.ResponseHeader
	if err := proto.Unmarshal(raw, &h); err != nil {
		c.t.Fatal(err)
	}
	if h.Exception != nil {
		return h.Exception
	}
	body, _ := protowire.ConsumeBytes(frame[n:])
	if err := proto.Unmarshal(body, resp); err != nil {
		c.t.Fatal(err)
	}
	return nil
}

// rawTable starts a cluster with a table "t" of the family d, split at m, and gives a client of server 0.
func rawTable(t *testing.T, opts Options, attributes map[string]string) (*Cluster, *rawClient) {
	t.Helper()
	c, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	s := hbase.TableSchema{Name: "t", Families: []hbase.FamilySchema{{Name: "d", Attributes: map[string]string{"VERSIONS": "3"}}}, Attributes: attributes}
	s.AddCoprocessor(hbase.CoprocessorMultiRowMutation)
	c.mu.Lock()
	x := c.createTable(&pb.CreateTableRequest{TableSchema: schemaProto(s), SplitKeys: [][]byte{[]byte("m")}})
	c.mu.Unlock()
	if x != nil {
		t.Fatal(x.text)
	}
	for _, key := range []string{"a", "z"} {
		if err := c.Move("t", []byte(key), 0); err != nil {
			t.Fatal(err)
		}
	}
	return c, dialRaw(t, c.Addr(0), "HBas\x00\x50")
}

func (c *Cluster) spec(key string) *pb.RegionSpecifier {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &pb.RegionSpecifier{Type: pb.RegionSpecifier_REGION_NAME.Enum(), Value: c.tables["t"].regionOf([]byte(key)).name}
}

func rawPut(row, value string, ts uint64) *pb.MutationProto {
	return &pb.MutationProto{Row: []byte(row), MutateType: pb.MutationProto_PUT.Enum(), ColumnValue: []*pb.MutationProto_ColumnValue{{
		Family: []byte("d"), QualifierValue: []*pb.MutationProto_ColumnValue_QualifierValue{{Qualifier: []byte("q"), Value: []byte(value), Timestamp: &ts}},
	}}}
}

func rawField(number protowire.Number, m proto.Message) []byte {
	raw, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), raw)
}

func (c *Cluster) shown(t *testing.T) string {
	t.Helper()
	rows, err := c.Dump("t")
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, r := range rows {
		for _, x := range r.Cells {
			s = append(s, string(r.Row)+"="+string(x.Value))
		}
	}
	return strings.Join(s, " ")
}

func wantClass(t *testing.T, what string, x *pb.ExceptionResponse, class string) {
	t.Helper()
	if !strings.HasSuffix(x.GetExceptionClassName(), class) {
		t.Errorf("%s: %q, want %s", what, x.GetExceptionClassName(), class)
	}
}

func TestMutateUnderACondition(t *testing.T) {
	c, raw := rawTable(t, Options{}, nil)
	cond := &pb.Condition{
		Row: []byte("a"), Family: []byte("d"), Qualifier: []byte("q"), CompareType: pb.CompareType_EQUAL.Enum(),
		Comparator: &pb.Comparator{Name: proto.String(javaPrefix + "filter.BinaryComparator"), SerializedComparator: []byte{0x0a, 0}},
	}
	for i, want := range []uint64{1, 0} {
		req, resp := new(rawRequest), new(rawResponse)
		req.ProtoReflect().SetUnknown(append(append(rawField(1, c.spec("a")), rawField(2, rawPut("a", "v", 5))...), rawField(3, cond)...))
		if x := raw.call("Mutate", req, resp); x != nil || unknownVarint(resp, 2) != want {
			t.Errorf("try %d: %v, processed %d, want %d", i, x, unknownVarint(resp, 2), want)
		}
	}
	req := new(rawRequest)
	req.ProtoReflect().SetUnknown(append(rawField(1, c.spec("a")), rawField(2, rawPut("z", "v", 5))...))
	wantClass(t, "a row outside", raw.call("Mutate", req, new(rawResponse)), "regionserver.WrongRegionException")
	if got := c.shown(t); got != "a=v" {
		t.Errorf("the table holds %s", got)
	}
}

func TestPlainActionsOfAMulti(t *testing.T) {
	c, raw := rawTable(t, Options{}, nil)
	bad := rawPut("c", "v", 5)
	bad.ColumnValue[0].Family = []byte("nofamily")
	inBlock := &pb.MutationProto{Row: []byte("b"), MutateType: pb.MutationProto_PUT.Enum(), AssociatedCellCount: proto.Int32(1)}
	cell := hbase.Cell{Row: []byte("b"), Family: []byte("d"), Qualifier: []byte("q"), Timestamp: 7, Type: hbase.CellPut, Value: []byte("block")}
	action := func(i uint32, m *pb.MutationProto) *pb.Action { return &pb.Action{Index: &i, Mutation: m} }
	req := &pb.MultiRequest{RegionAction: []*pb.RegionAction{{
		Region: c.spec("a"), Action: []*pb.Action{action(7, bad), action(8, rawPut("a", "v", 5)), action(9, inBlock), {Index: proto.Uint32(10), Get: &pb.Get{Row: []byte("a")}}},
	}}}
	var resp pb.MultiResponse
	if x := raw.call("Multi", req, &resp, cell); x != nil {
		t.Fatal(x)
	}
	got := map[uint32]*pb.ResultOrException{}
	for _, r := range resp.RegionActionResult[0].ResultOrException {
		got[r.GetIndex()] = r
	}
	if len(got) != 4 || !strings.HasSuffix(got[7].GetException().GetName(), "NoSuchColumnFamilyException") || got[8].Exception != nil || got[9].Exception != nil {
		t.Errorf("answers are %v", resp.RegionActionResult)
	}
	huge := &pb.MultiRequest{RegionAction: []*pb.RegionAction{{Region: c.spec("a"), Action: []*pb.Action{
		action(0, rawPut("e", "v", 5)), action(1, rawPut("f", string(make([]byte, maxCell)), 5)),
	}}}}
	resp = pb.MultiResponse{}
	if x := raw.call("Multi", huge, &resp); x != nil || resp.RegionActionResult[0].ResultOrException[0].Exception == nil {
		t.Errorf("the neighbour of a cell that is too large: %v, %v", x, &resp)
	}
	negative := &pb.MultiRequest{RegionAction: []*pb.RegionAction{
		{Region: c.spec("a"), Atomic: proto.Bool(true), Action: []*pb.Action{action(0, rawPut("d", "v", 5))}},
		{Region: c.spec("a"), Atomic: proto.Bool(true), Action: []*pb.Action{action(0, rawPut("e", "v", 1<<63+5))}},
	}}
	wantClass(t, "a negative time", raw.call("Multi", negative, &resp), "java.io.IOException")
	if got := c.shown(t); got != "a=v b=block d=v" {
		t.Errorf("the table holds %s", got)
	}
}

// Transactions of several regions may travel in one Multi; each row that lies outside is refused in its own way.
func TestMutateRowsInsideAMulti(t *testing.T) {
	c, raw := rawTable(t, Options{}, nil)
	service := func(i uint32, rows ...string) *pb.Action {
		req := &pb.MutateRowsRequest{}
		for _, row := range rows {
			req.MutationRequest = append(req.MutationRequest, rawPut(row, "v", 5))
		}
		b, err := proto.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		return &pb.Action{Index: &i, ServiceCall: &pb.CoprocessorServiceCall{
			Row: []byte(rows[0]), ServiceName: proto.String("MultiRowMutationService"), MethodName: proto.String("MutateRows"), Request: b,
		}}
	}
	req := &pb.MultiRequest{RegionAction: []*pb.RegionAction{
		{Region: c.spec("a"), Action: []*pb.Action{service(0, "a", "b"), service(1, "z", "c"), service(2, "c", "z")}},
		{Region: c.spec("z"), Action: []*pb.Action{service(0, "y", "z")}},
	}}
	var resp pb.MultiResponse
	if x := raw.call("Multi", req, &resp); x != nil {
		t.Fatal(x)
	}
	first := resp.RegionActionResult[0].ResultOrException
	for i, want := range []string{"", "WrongRegionException", "DoNotRetryIOException"} {
		if got := first[i].GetException().GetName(); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("call %d: %q, want %q", i, got, want)
		}
	}
	var done pb.MutateRowsResponse
	if err := proto.Unmarshal(first[0].GetServiceResult().GetValue().GetValue(), &done); err != nil || !done.GetProcessed() {
		t.Errorf("the first call: %v (%v)", &done, err)
	}
	if got := c.shown(t); got != "a=v b=v y=v z=v" {
		t.Errorf("the table holds %s", got)
	}
}

func TestScansAndGets(t *testing.T) {
	c, raw := rawTable(t, Options{}, nil)
	for i, row := range []string{"a", "b", "c", "d"} {
		for ts := range uint64(3) {
			var resp pb.MultiResponse
			raw.call("Multi", &pb.MultiRequest{RegionAction: []*pb.RegionAction{{Region: c.spec("a"), Action: []*pb.Action{{Mutation: rawPut(row, row, 10*ts+uint64(i))}}}}}, &resp)
		}
	}
	scan := func(s *pb.Scan, n, limit uint32) (string, *pb.ScanResponse) {
		var resp pb.ScanResponse
		req := &pb.ScanRequest{Region: c.spec("a"), Scan: s, NumberOfRows: &n}
		if limit > 0 {
			req.LimitOfRows = &limit
		}
		if x := raw.call("Scan", req, &resp); x != nil {
			t.Fatal(x)
		}
		out := ""
		for _, r := range resp.Results {
			out += string(r.Cell[0].Row)
		}
		return out, &resp
	}
	if got, r := scan(&pb.Scan{StartRow: []byte("c"), StopRow: []byte("a"), Reversed: proto.Bool(true), IncludeStopRow: proto.Bool(true)}, 10, 0); got != "cba" || r.GetMoreResults() {
		t.Errorf("reversed: %s, %v", got, r)
	}
	if got, _ := scan(&pb.Scan{StartRow: []byte("z"), Reversed: proto.Bool(true), IncludeStartRow: proto.Bool(false)}, 2, 0); got != "dc" {
		t.Errorf("reversed from behind the region: %s", got)
	}
	if got, r := scan(&pb.Scan{StopRow: []byte("d")}, 10, 2); got != "ab" || r.GetMoreResults() {
		t.Errorf("limited: %s, %v", got, r)
	}
	_, r := scan(&pb.Scan{}, 1, 0)
	if !r.GetMoreResults() || !r.GetMoreResultsInRegion() {
		t.Errorf("in the middle: %v", r)
	}
	next := &pb.ScanRequest{ScannerId: r.ScannerId, NumberOfRows: proto.Uint32(1), NextCallSeq: proto.Uint64(1)}
	wantClass(t, "a call left out", raw.call("Scan", next, r), "OutOfOrderScannerNextException")
	wantClass(t, "the scanner after that", raw.call("Scan", next, r), "UnknownScannerException")
	var got pb.GetResponse
	raw.call("Get", &pb.GetRequest{Region: c.spec("a"), Get: &pb.Get{Row: []byte("a"), MaxVersions: proto.Uint32(9), TimeRange: &pb.TimeRange{From: proto.Uint64(5), To: proto.Uint64(20)}}}, &got)
	if n := len(got.Result.Cell); n != 1 || got.Result.Cell[0].GetTimestamp() != 10 {
		t.Errorf("in a time range: %v", got.Result)
	}
	exists := &pb.Get{Row: []byte("absent")}
	exists.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 10, protowire.VarintType), 1))
	if x := raw.call("Get", &pb.GetRequest{Region: c.spec("a"), Get: exists}, &got); x != nil {
		t.Fatal(x)
	}
	if got.Result.Exists == nil || got.Result.GetExists() {
		t.Errorf("existence: %v", got.Result)
	}
}

func TestRegionsThatAreElsewhere(t *testing.T) {
	c, raw := rawTable(t, Options{Servers: 2}, nil)
	spec := c.spec("a")
	get := func() *pb.ExceptionResponse {
		return raw.call("Get", &pb.GetRequest{Region: spec, Get: &pb.Get{Row: []byte("a")}}, &pb.GetResponse{})
	}
	if err := c.Move("t", []byte("a"), 1); err != nil {
		t.Fatal(err)
	}
	x := get()
	wantClass(t, "a moved region", x, "RegionMovedException")
	if x.GetHostname() != "127.0.0.1" || !strings.HasSuffix(c.Addr(1), ":"+strings.TrimSpace(strings.Split(strings.Split(x.GetStackTrace(), "port=")[1], " ")[0])) {
		t.Errorf("the exception points to %s:%d, the region is at %s", x.GetHostname(), x.GetPort(), c.Addr(1))
	}
	if err := c.Kill(1); err != nil {
		t.Fatal(err)
	}
	if x := get(); x != nil {
		t.Errorf("after the death of its server the region is not back: %v", x)
	}
	if err := c.Split("t", []byte("g")); err != nil {
		t.Fatal(err)
	}
	wantClass(t, "a split region", get(), "NotServingRegionException")
	if err := c.Merge("t", []byte("a")); err != nil {
		t.Fatal(err)
	}
	spec = c.spec("a")
	if x := get(); x != nil {
		t.Errorf("the merged region: %v", x)
	}
	wantClass(t, "a row outside", raw.call("Get", &pb.GetRequest{Region: spec, Get: &pb.Get{Row: []byte("z")}}, &pb.GetResponse{}), "WrongRegionException")
	other := dialRaw(t, c.Addr(0), "XBas\x00\x50")
	wantClass(t, "a wrong preamble", other.answer(&pb.GetResponse{}), "FatalConnectionException")
}

// What went past the log dies with its server, what was flushed or logged does not; and each server has its clock.
func TestDeathAndClock(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	c, raw := rawTable(t, Options{Now: func(int) time.Time { return at }}, map[string]string{"DURABILITY": "SKIP_WAL"})
	write := func(row string, d pb.MutationProto_Durability) {
		m := rawPut(row, "v", uint64(hbase.LatestTimestamp))
		m.Durability = &d
		var resp pb.MultiResponse
		if x := raw.call("Multi", &pb.MultiRequest{RegionAction: []*pb.RegionAction{{Region: c.spec("a"), Action: []*pb.Action{{Mutation: m}}}}}, &resp); x != nil {
			t.Fatal(x)
		}
	}
	write("a", pb.MutationProto_USE_DEFAULT)
	if err := c.Compact("t", false); err != nil {
		t.Fatal(err)
	}
	write("b", pb.MutationProto_USE_DEFAULT)
	write("c", pb.MutationProto_SYNC_WAL)
	if err := c.Kill(0); err != nil {
		t.Fatal(err)
	}
	if got := c.shown(t); got != "a=v c=v" {
		t.Errorf("after the death the table holds %s", got)
	}
	rows, err := c.Dump("t")
	if err != nil || rows[0].Cells[0].Timestamp != at.UnixMilli() {
		t.Errorf("the cell is stamped %d (%v), want the server's clock", rows[0].Cells[0].Timestamp, err)
	}
}

func TestPlanIsByItsSeed(t *testing.T) {
	p := Plan{Seed: 5, Rates: Even(1)}
	q := Plan{Seed: 5, Rates: Even(1)}
	kinds := map[FaultKind]bool{}
	for n := range uint64(500) {
		f := FrameInfo{Number: n, Service: "ClientService", Actions: 4}
		if p.Fault(f) != q.Fault(f) {
			t.Fatalf("frame %d: %v and %v of one seed", n, p.Fault(f), q.Fault(f))
		}
		kinds[p.Fault(f).Kind] = true
	}
	for _, k := range FaultKinds() {
		if !kinds[k] {
			t.Errorf("%s never came", k)
		}
	}
}
