package connector

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
	"rowmark/rowkey"
)

// benchPool is how many records a benchmark's topic repeats: more than rows are remembered, so that all are fresh.
const benchPool = 100_000

// benchShape is what the benchmark's records look like, and what they become.
type benchShape struct {
	name    string
	rows    int
	mapping mapping.Spec
}

func benchShapes() []benchShape {
	puts := []mapping.Column{
		{Field: "value.customer_id", To: "d:customer"},
		{Field: "value.created_at", To: "d:created", As: "int64"},
		{Field: "value.status", To: "d:status"},
		{Field: "value.total", To: "d:total", As: "float64"},
		{Field: "value.address", To: "d:address"},
	}
	one := "1"
	counts := []mapping.Column{
		{Field: "value.items", To: "c:items", Op: "increment"},
		{Literal: &one, To: "c:orders", Op: "increment"},
		{Field: "value.status", To: "d:status"},
		{Field: "value.total", To: "d:total", As: "float64"},
		{Field: "value.created_at", To: "d:created", As: "int64"},
	}
	spec := func(columns []mapping.Column) mapping.Spec {
		return mapping.Spec{
			Topics: []string{"orders"}, Table: "shop:orders", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
			RowKey:  rowkey.Spec{{Salt: 16, Of: []string{"key"}}, {Field: "key"}},
			Columns: columns, OnTombstone: "ignore",
		}
	}
	return []benchShape{{"fresh", benchPool, spec(puts)}, {"hot", 50, spec(counts)}}
}

func (s benchShape) records(n int) []kafka.Record {
	out := make([]kafka.Record, n)
	for i := range out {
		out[i].Key = fmt.Appendf(nil, "order-%012d", i%s.rows)
		out[i].Value = fmt.Appendf(nil, `{"order_id":"0f8fad5b-d9cb-469f-a165-%012d","customer_id":"customer-%06d","created_at":%d,"status":"shipped","total":%d.95,"currency":"EUR","items":%d,"address":{"street":"Long Street %d","city":"Delft","zip":"2611"},"tags":["gift","express"],"note":null,"internal":{"trace":"ab12"}}`,
			i, i%9973, 1700000000000+i, i%997, i%7, i%311)
	}
	return out
}

// path is an engine whose services answer at once: what is left is the connector's own work.
type path struct {
	engine *Engine
	core   *core.Core
	pool   []kafka.Record
	events []core.Event
	now    time.Duration
	read   int64
	limit  int64
	before runtime.MemStats
}

const benchPartitions = 4

func newPath(tb testing.TB, shape benchShape, records int) *path {
	set, problems := mapping.Compile([]mapping.Spec{shape.mapping}, mapping.Options{})
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	p := &path{engine: &Engine{maps: mappings{current: set}}, pool: shape.records(min(records, benchPool)), limit: int64(records), now: time.Hour}
	p.core = core.New(core.Config{
		Sink: "bench", Owner: core.Owner{1}, Who: "bench", MarkFamily: []byte("_k"), Lease: 10 * time.Second, CheckpointEvery: time.Second,
		CeilingStep: 100_000, BatchRows: 500, BatchBytes: 2 << 20, Linger: 20 * time.Millisecond, FlightBytes: 16 << 20,
		FetchBytes: 1 << 20, WindowBytes: 32 << 20, RowMemory: min(50_000, records/4), Mapping: set.Canonical(), MappingHash: set.Hash(),
		Tables: map[string]core.TableInfo{"shop:orders": {Mode: hbase.ModeRegion}},
	})
	return p
}

// spent is what was allocated since run began.
func (p *path) spent() (allocs, bytes float64) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return float64(now.Mallocs - p.before.Mallocs), float64(now.TotalAlloc - p.before.TotalAlloc)
}

// run plays until every record has been resolved.
func (p *path) run(tb testing.TB) {
	runtime.GC()
	runtime.ReadMemStats(&p.before)
	for i := range int32(benchPartitions) {
		p.step(core.Assigned{TopicPartition: kafka.TopicPartition{Topic: "orders", Partition: i}})
	}
	for len(p.events) > 0 {
		ev := p.events[0]
		p.events = p.events[1:]
		p.step(ev)
		for len(p.events) == 0 && p.core.Stats().Records < p.limit {
			p.now = max(p.now, p.core.Wake())
			p.step(core.Tick{})
		}
	}
	if s := p.core.Stats(); s.Records < p.limit || s.Refused+s.Unknown+s.Retries+s.Skipped+s.Replayed > 0 {
		tb.Fatalf("%+v", s)
	}
}

func (p *path) step(ev core.Event) {
	p.now += 50 * time.Microsecond
	for _, a := range p.core.Step(core.Now{Mono: p.now, Wall: 1_800_000_000_000 + p.now.Milliseconds()}, ev) {
		p.act(a)
	}
}

func (p *path) act(a core.Action) {
	switch a := a.(type) {
	case core.ReadCheckpoint:
		p.events = append(p.events, core.CheckpointRead{TopicPartition: a.TopicPartition, Inst: a.Inst})
	case core.ReadLog:
		p.events = append(p.events, core.LogRead{TopicPartition: a.TopicPartition, Inst: a.Inst, Info: core.LogInfo{LogEnd: 1 << 40, End: 1 << 40, EpochEnd: -1, EndedEpoch: -1, DeleteRetention: -1}})
	case core.SwapCheckpoint:
		p.events = append(p.events, core.Swapped{TopicPartition: a.TopicPartition, Inst: a.Inst, Result: hbase.WriteResult{Outcome: hbase.Applied}})
	case core.Write:
		res := make([]hbase.WriteResult, len(a.Groups))
		for i := range res {
			res[i].Outcome = hbase.Applied
		}
		p.events = append(p.events, core.Written{Groups: a.Groups, Results: res})
	case core.Fetch:
		if c := p.chunk(a); len(c.Records) > 0 {
			p.events = append(p.events, p.engine.mapChunk(context.Background(), a, c))
		}
	case core.Report:
	default:
		panic(fmt.Sprintf("%T", a))
	}
}

// chunk is what the brokers would send: each partition reads the pool from another place on.
func (p *path) chunk(a core.Fetch) kafka.Chunk {
	n := min(int64(max(1, a.At.MaxBytes/400)), p.limit-p.read)
	p.read += n
	pool := int64(len(p.pool))
	c := kafka.Chunk{TopicPartition: a.TopicPartition, From: a.At.Offset, Next: a.At.Offset + n, LeaderEpoch: 3, HighWatermark: 1 << 40, Records: make([]kafka.Record, n)}
	for i := range c.Records {
		at := a.At.Offset + int64(i)
		r := &c.Records[i]
		*r = p.pool[(at+int64(a.Partition)*pool/benchPartitions)%pool]
		r.Offset, r.Timestamp, r.LeaderEpoch = at, 1_700_000_000_000+at, 3
	}
	return c
}

func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPath measures a record's way from what the brokers sent to what goes to HBase, and back to the checkpoint.
func BenchmarkPath(b *testing.B) {
	for _, shape := range benchShapes() {
		b.Run(shape.name, func(b *testing.B) {
			p := newPath(b, shape, max(b.N, 1))
			cpu := cpuTime(b)
			b.ResetTimer()
			p.run(b)
			b.StopTimer()
			n := float64(b.N)
			b.ReportMetric(float64(cpuTime(b)-cpu)/n, "cpu-ns/record")
			allocs, bytes := p.spent()
			b.ReportMetric(bytes/n, "B/record")
			b.ReportMetric(allocs/n, "allocs/record")
		})
	}
}
