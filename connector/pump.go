package connector

import (
	"context"
	"runtime"
	"sync"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// What a record holds in memory beside its bytes: itself, and for each row and cell what mapping and core keep.
const (
	recordCost = 200
	rowCost    = 500
	cellCost   = 120
	letterCost = 200
)

// costOf estimates the memory that a mapped record holds until its rows are written.
func costOf(r *kafka.Record, res *mapping.Result) int {
	n := recordCost + len(r.Key) + len(r.Value) + int(res.Inflated)
	if res.Letter != nil {
		n += letterCost
	}
	for i := range res.Rows {
		n += rowCost + cellCost*len(res.Rows[i].Cells)
	}
	return n
}

func mapWorkers() int { return runtime.GOMAXPROCS(0) }

// mappings is the current mapping, and stored ones that a changed configuration finishes first.
type mappings struct {
	mu      sync.Mutex
	current *mapping.Set
	schemas decode.Schemas // for the stored ones
	stored  map[string]*mapping.Set
}

func (m *mappings) of(stored []byte) (*mapping.Set, error) {
	if stored == nil {
		return m.current, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.stored[string(stored)]; ok {
		return s, nil
	}
	s, err := mapping.CompileCanonical(stored, m.schemas)
	if err != nil {
		return nil, err
	}
	if m.stored == nil {
		m.stored = map[string]*mapping.Set{}
	}
	m.stored[string(stored)] = s
	return s, nil
}

// fetches remembers what each outstanding request was for.
type fetches struct {
	mu    sync.Mutex
	open  map[kafka.TopicPartition]core.Fetch
	taken int64                                       // answers that a request waited for
	maps  map[kafka.TopicPartition]context.CancelFunc // of the mapping of the last answer
}

func (f *fetches) put(a core.Fetch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		f.open = map[kafka.TopicPartition]core.Fetch{}
	}
	f.open[a.TopicPartition] = a
}

func (f *fetches) take(tp kafka.TopicPartition) (core.Fetch, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.open[tp]
	delete(f.open, tp)
	if ok {
		f.taken++
	}
	return a, ok
}

// mapping remembers what ends the mapping of a partition's answer.
func (f *fetches) mapping(tp kafka.TopicPartition, cancel context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.maps == nil {
		f.maps = map[kafka.TopicPartition]context.CancelFunc{}
	}
	f.maps[tp] = cancel
}

// cancel ends a wait in the mapping of a partition's answer.
func (f *fetches) cancel(tp kafka.TopicPartition) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if cancel := f.maps[tp]; cancel != nil {
		cancel()
		delete(f.maps, tp)
	}
}

func (f *fetches) answered() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taken
}

func (e *Engine) fetch(a core.Fetch) {
	e.fetches.put(a)
	e.reader.Request(a.TopicPartition, a.At)
}

// arrived takes a chunk from the reader. Mapping goes on beside it, at most one worker a core.
func (e *Engine) arrived(c kafka.Chunk) {
	a, ok := e.fetches.take(c.TopicPartition)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(e.ctx)
	e.fetches.mapping(c.TopicPartition, cancel)
	e.calls.Go(func() {
		defer cancel()
		e.mapSem <- struct{}{}
		ev := e.mapChunk(ctx, a, c)
		e.reader.Recycle(c.Records) // what is mapped names their bytes, not the list
		<-e.mapSem
		e.post(ev)
	})
}

// mapChunk maps the records below the fetch's bound, or those before one that has to wait.
func (e *Engine) mapChunk(ctx context.Context, a core.Fetch, c kafka.Chunk) core.Fetched {
	ev := core.Fetched{
		TopicPartition: c.TopicPartition, Inst: a.Inst, Ask: a.Ask, From: c.From, Next: c.Next, LeaderEpoch: c.LeaderEpoch, Err: c.Err,
		End: c.LastStable,
	}
	if !e.opts.Kafka.ReadCommitted {
		ev.End = c.HighWatermark
	}
	if c.Err != nil {
		return ev
	}
	set, err := e.maps.of(a.Stored)
	if err != nil {
		ev.Err, ev.Next = err, ev.From
		return ev
	}
	if a.Until >= 0 && a.Until < ev.Next {
		ev.Next, ev.LeaderEpoch = a.Until, -1 // the chunk's epoch may be of a batch past the bound
	}
	ev.Records = make([]core.Mapped, 0, len(c.Records))
	// Where nothing else waits for the answer it is waited for.
	ask := func(l *decode.Later) error { return e.await(ctx, l, len(ev.Records) == 0) }
	mapRecord, done, err := e.mapper(ctx, set, &c, ask)
	if err != nil {
		ev.Err, ev.Next = err, ev.From
		return ev
	}
	defer func() { done(ev.Next) }()
	headers := headerList{keep: set.WritesLetters(c.Topic)}
	letters := e.letters(a, set, len(c.Records))
	for i := range c.Records {
		r := &c.Records[i]
		if a.Until >= 0 && r.Offset >= a.Until {
			break
		}
		rec := decode.Record{
			Topic: c.Topic, Partition: c.Partition, Offset: r.Offset, Timestamp: r.Timestamp, Key: r.Key, Value: r.Value,
			Headers: headers.of(r.Headers),
		}
		res, err := mapRecord(rec, ask)
		if err != nil {
			ev.Next, ev.LeaderEpoch = r.Offset, -1 // those before it go on; it is read again
			break
		}
		letters.attach(&rec, &res)
		ev.Read += len(r.Key) + len(r.Value)
		ev.Records = append(ev.Records, core.Mapped{Offset: r.Offset, LeaderEpoch: r.LeaderEpoch, Bytes: costOf(r, &res), Time: r.Timestamp, Result: res})
	}
	if letters != nil && c.From < a.Before && set.AsksRegistry(c.Topic) {
		call, cancel := context.WithTimeout(ctx, e.opts.CallTimeout)
		defer cancel()
		if err := letters.standing(call, e.hbase, a.Before, ev.Records); err != nil {
			ev.Err, ev.Next, ev.Records, ev.Read = err, ev.From, nil, 0
		}
	}
	return ev
}
