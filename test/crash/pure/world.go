package pure

import (
	"container/heap"
	"fmt"
	"maps"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
	"rowmark/test/crash/effect"
)

// always is an offset or a time past all others.
const always = 1<<63 - 1

const (
	lease = 2 * time.Second
	// patience is how long a run may take after its last crash before it counts as stuck.
	patience = 60 * time.Second
)

type task struct {
	at  time.Duration
	seq int
	run func()
}

type queue []task

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].seq < q[j].seq
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(task)) }
func (q *queue) Pop() any {
	old := *q
	t := old[len(old)-1]
	old[len(old)-1] = task{}
	*q = old[:len(old)-1]
	return t
}

// world is one run of a scenario under a plan.
type world struct {
	s      *Scenario
	plan   Plan
	reg    *effect.Registry
	mutate func(*core.Config)

	now   time.Duration
	tasks queue
	seq   int

	store   store
	logs    []*logFile
	shown   []int64          // how far each log can be read
	start   []int64          // log starts
	woken   bool             // the paused process was called back
	changed bool             // Recreated, Hole: it has happened
	frozen  map[markID]int64 // Hole: the marks that stood when it came

	procs       []*process
	actions     [3]int // so many were asked for, by generation: the scenario's own processes, successor, its successor
	points      [3][]Point
	counts      map[string]int // of calls, for the disturbances of Rough
	first       *process       // that died or was paused at the first point
	flight      [2]int         // how many effects were in flight at each crash
	checked     map[int32]checked
	flying      map[string]bool // rows with a write in flight, of processes that live
	skipped     int
	late        []func() // effects that land when the successor has taken over
	last        []func() // and when all is over
	errs        []string
	atLeastOnce bool // no marks to look at
	trace       func(string)
	spoil       func(*Spoiler)
}

type markID struct {
	rowID
	source string
}

func newWorld(s *Scenario, plan Plan, reg *effect.Registry, mutate func(*core.Config)) *world {
	w := &world{
		s: s, plan: plan, reg: reg, mutate: mutate, logs: s.logs,
		shown: make([]int64, len(s.logs)), start: make([]int64, len(s.logs)),
		counts: map[string]int{}, checked: map[int32]checked{}, flying: map[string]bool{},
	}
	w.store = store{rows: map[rowID][]version{}, checkpoints: map[int32]*core.Checkpoint{}, away: map[string]bool{}, clock: w.wall}
	w.atLeastOnce = w.config(0, '1', false).AtLeastOnce
	return w
}

func (w *world) wall() int64 { return 2_000_000 + w.now.Milliseconds() }

func (w *world) after(d time.Duration, f func()) {
	w.seq++
	heap.Push(&w.tasks, task{w.now + d, w.seq, f})
}

func (w *world) fail(format string, args ...any) {
	if len(w.errs) < 20 {
		w.errs = append(w.errs, fmt.Sprintf(format, args...))
	}
	w.logf("VIOLATION "+format, args...)
}

func (w *world) logf(format string, args ...any) {
	if w.trace != nil {
		w.trace(fmt.Sprintf("%9.3fs ", w.now.Seconds()) + fmt.Sprintf(format, args...))
	}
}

func (w *world) show(share float64) {
	for i, l := range w.logs {
		w.shown[i] = max(w.shown[i], int64(float64(l.end)*share))
	}
}

// until runs tasks until the condition holds, or the time is over: then it is false.
func (w *world) until(done func() bool, limit time.Duration) bool {
	end := w.now + limit
	for !done() {
		if w.tasks.Len() == 0 || w.tasks[0].at > end {
			return false
		}
		next := heap.Pop(&w.tasks).(task)
		w.now = next.at
		next.run()
	}
	return true
}

// play is the scenario: a first process that reads, idles, reads on and is stopped; a second one that drains the log.
// Where the plan breaks either, a successor drains it.
func (w *world) play() {
	w.show(0.6)
	a := w.spawn(0, '1', false)
	w.after(1200*time.Millisecond, func() { w.show(0.85) })
	w.after(1800*time.Millisecond, func() {
		if w.first == nil { // one that comes back from a pause has to find out by itself
			a.stop()
		}
	})
	w.disturb()
	w.untilOver(a)
	if w.first == nil {
		w.between()
		b := w.spawn(0, w.next(), true)
		w.untilOver(b)
	}
	if w.first != nil {
		w.recover()
	}
	for _, f := range w.last {
		f()
	}
	w.until(func() bool { return false }, 10*time.Millisecond)
	if w.spoil != nil {
		w.spoil(&Spoiler{w})
	}
	w.check()
}

func (w *world) next() byte {
	if w.s.Remap {
		return '2'
	}
	return '1'
}

func (w *world) untilOver(p *process) {
	if !w.until(func() bool { return p.over() || w.first != nil }, patience) {
		w.fail("stuck: process %d is not over after %s", p.id, patience)
	}
}

// recover lets the successor drain the log, and its own if it is killed too.
func (w *world) recover() {
	w.between()
	c := w.spawn(1, w.next(), true)
	if !w.until(func() bool { return c.over() || c.dead }, patience) {
		w.fail("stuck: the successor is not over after %s: %v", patience, c.core.Statuses())
	}
	if c.dead {
		c = w.spawn(2, w.next(), true)
		if !w.until(c.over, patience) {
			w.fail("stuck: the last process is not over after %s: %v", patience, c.core.Statuses())
		}
	}
	z := w.first
	if w.plan.Way == Kill || z.dead {
		return
	}
	z.resume()
	if !w.until(func() bool { return !z.outlived() }, 2*lease) {
		w.fail("unfenced: paused and outlived, process %d still runs %s after it came back: %v", z.id, 2*lease, z.core.Statuses())
	}
	z.stop()
	if !w.until(z.over, 10*lease) {
		w.fail("stuck: process %d, back from its pause, does not stop: %v", z.id, z.core.Statuses())
	}
}

// between is what happens to the log after the first process, once.
func (w *world) between() {
	if !w.changed {
		w.changed = true
		switch w.s.Special {
		case Recreated:
			w.logs = w.s.anew
			clear(w.shown)
		case Hole:
			w.frozen = w.marks()
			for i, l := range w.logs {
				w.start[i] = l.end * 92 / 100
			}
		}
	}
	w.show(1)
}

// marks reads all marks.
func (w *world) marks() map[markID]int64 {
	out := map[markID]int64{}
	for id, row := range w.store.rows {
		for i := range row {
			if string(row[i].Family) == famMark {
				m := markID{id, string(row[i].Qualifier)}
				out[m] = max(out[m], row[i].Timestamp)
			}
		}
	}
	return out
}

func tpOf(p int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: p} }

// source names a partition's marks, by the incarnation that its checkpoint speaks of.
func (w *world) source(p int32) string {
	n := 0
	if c := w.store.checkpoints[p]; c != nil {
		n = c.Incarnation()
	}
	return core.SourceName("s", "t", p, n)
}

func (w *world) config(id int, version byte, once bool) core.Config {
	cfg := core.Config{
		Sink: "s", Owner: core.Owner{byte(id + 1), 7}, Who: fmt.Sprintf("process %d", id), MarkFamily: []byte(famMark),
		Lease: lease, CheckpointEvery: 15 * time.Millisecond, CeilingStep: 10,
		BatchRows: w.s.batch, BatchBytes: 40_000, Linger: 5 * time.Millisecond,
		FlightBytes: 100_000, WindowBytes: 4 << 20, FetchBytes: 1 << 20, RowMemory: 9,
		Mapping: []byte{version}, MappingHash: string(version), Once: once,
		Tables: map[string]core.TableInfo{tableRows: {Mode: w.s.Mode}, tableCounts: {Mode: w.s.Mode, Counters: true}, tableLetters: {Mode: w.s.Mode}},
	}
	switch w.s.Special {
	case Recreated:
		cfg.LogChanged = core.LogIncarnation
	case Hole:
		cfg.OutOfRange = core.RangeEarliest
	}
	if w.mutate != nil {
		w.mutate(&cfg)
	}
	cfg.Tables = maps.Clone(cfg.Tables)
	return cfg
}

// readable says what the brokers answer about a partition.
func (w *world) readable(p int32) core.LogInfo {
	return core.LogInfo{
		TopicID: kafka.TopicID{w.logs[p].topic}, LogStart: w.start[p], LogEnd: w.shown[p], End: w.shown[p], Start: w.start[p],
		EpochEnd: -1, DeleteRetention: -1,
	}
}

var unknown = hbase.WriteResult{Outcome: hbase.Unknown, Err: fault(hbase.FaultAmbiguous, "no answer")}
