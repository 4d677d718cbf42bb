package linear

import (
	"sync"
	"time"
)

// recorder keeps operations. Its clock is the machine's monotonic one, from the first operation on.
type recorder[O any] struct {
	mu    sync.Mutex
	start time.Time
	ops   []*O
}

func (r *recorder[O]) begin(o *O, e *Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.start.IsZero() {
		r.start = time.Now()
	}
	e.Call = int64(time.Since(r.start))
	e.Return = e.Call
	r.ops = append(r.ops, o)
}

// end ends an operation; set fills in what it gave.
func (r *recorder[O]) end(e *Event, outcome Outcome, set func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Outcome, e.Return = outcome, int64(time.Since(r.start))
	set()
}

// Ops gives what was recorded so far.
func (r *recorder[O]) Ops() []O {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]O, len(r.ops))
	for i, o := range r.ops {
		out[i] = *o
	}
	return out
}

// Registers records operations on checkpoints. The zero value is ready; all methods may be called at once. Begin a
// call before anything of it is sent. One that is never ended is unknown if it was a swap, and left out if a read.
type Registers struct{ recorder[RegisterOp] }

// RegisterCall is a call under way.
type RegisterCall struct {
	r *Registers
	o *RegisterOp
}

// Read begins a read.
func (r *Registers) Read(client int, key string) RegisterCall {
	return r.call(RegisterOp{Event: Event{Client: client, Key: key, Outcome: Failed}, Kind: Read})
}

// Swap begins a conditional write.
func (r *Registers) Swap(client int, key string, expect, put []byte) RegisterCall {
	return r.call(RegisterOp{Event: Event{Client: client, Key: key, Outcome: Unknown}, Kind: Swap, Expect: Value(expect), Put: Value(put)})
}

func (r *Registers) call(o RegisterOp) RegisterCall {
	r.begin(&o, &o.Event)
	return RegisterCall{r, &o}
}

// Got ends a read that gave a value; an absent one is empty.
func (c RegisterCall) Got(v []byte) {
	c.r.end(&c.o.Event, Applied, func() { c.o.Got = Value(v) })
}

// Ended ends a swap, or a read that failed.
func (c RegisterCall) Ended(outcome Outcome) { c.r.end(&c.o.Event, outcome, func() {}) }

// Rows records operations on rows. It is used as Registers is.
type Rows struct{ recorder[RowOp] }

// RowCall is a call under way.
type RowCall struct {
	r *Rows
	o *RowOp
}

// Read begins a read of data and mark in one Get.
func (r *Rows) Read(client int, key string) RowCall {
	return r.call(RowOp{Event: Event{Client: client, Key: key, Outcome: Failed}, Kind: RowRead})
}

// Write begins a guarded write of the records from offset first to below next.
func (r *Rows) Write(client int, key string, first, next int64, payload []byte, replace bool) RowCall {
	return r.call(RowOp{
		Event: Event{Client: client, Key: key, Outcome: Unknown},
		Kind:  RowWrite, First: first, Next: next, Payload: Value(payload), Replace: replace,
	})
}

func (r *Rows) call(o RowOp) RowCall {
	r.begin(&o, &o.Event)
	return RowCall{r, &o}
}

// Got ends a read; mark is 0 where there is none.
func (c RowCall) Got(mark int64, data []byte) {
	c.r.end(&c.o.Event, Applied, func() { c.o.Mark, c.o.Data = mark, Value(data) })
}

// Ended ends a write, or a read that failed.
func (c RowCall) Ended(outcome Outcome) { c.r.end(&c.o.Event, outcome, func() {}) }
