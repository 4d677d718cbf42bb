package proxy

import (
	"fmt"
	"slices"
	"time"
)

// plan is what is to happen to the answer of a call.
type plan struct {
	fault  Fault
	method string
	after  time.Duration // of Delay
}

// requests takes in what the client sends.
func (c *pair) requests(r *reader) {
	defer c.up.end()
	for {
		f, err := r.next()
		c.waitSilent()
		switch {
		case err == nil:
			c.request(f, r.proto)
		case len(f.data) > 0:
			c.up.push(item{data: f.data}) // the client broke off inside a frame
		}
		if err != nil {
			return
		}
	}
}

// answers takes in what the server sends.
func (c *pair) answers(r *reader) {
	defer c.down.end()
	for {
		f, err := r.next()
		c.waitSilent()
		switch {
		case err == nil:
			c.answer(f)
		case len(f.data) > 0:
			c.down.push(item{data: f.data})
		}
		if err != nil {
			return
		}
	}
}

func (c *pair) bite(f Fault, method string, id int64, detail string) {
	c.proxy.bite(Bite{Fault: f, Target: c.target, Protocol: c.proto, Method: method, ID: id, Detail: detail})
}

// request draws the fault of a request and does it.
func (c *pair) request(f frame, proto Protocol) {
	bite := func(x Fault, detail string) { c.bite(x, f.method, f.id, detail) }
	switch x := c.proxy.draw(c.dice, c.target, proto, f.method, func(x Fault) bool { return c.may(x, f, proto) }); x {
	case "":
		c.up.push(item{data: f.data})
	case LoseRequest:
		bite(x, "")
		if !f.lone {
			c.hush()
		}
	case LoseAnswer:
		c.plan(f, plan{fault: x})
		c.up.push(item{data: f.data})
	case Delay:
		c.delay(f, bite)
	case DoubleRequest:
		c.double(f, bite)
	case Reset:
		c.reset(f, bite)
	case HalfOpen:
		c.halfOpen(f, bite)
	case Slow:
		if f.call && c.dice.intn(2) == 0 {
			c.plan(f, plan{fault: x})
			c.up.push(item{data: f.data})
			return
		}
		c.up.push(item{data: f.data, slow: true, done: func() { bite(x, "the request") }})
	}
}

// may says whether a fault can happen to a request.
func (c *pair) may(x Fault, f frame, proto Protocol) bool {
	switch x {
	case LoseAnswer:
		return f.call
	case DoubleRequest:
		return proto == HBase && f.lone && slices.Contains(Doubles, f.method)
	}
	return true
}

func (c *pair) plan(f frame, p plan) {
	p.method = f.method
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plans[f.id] = p
}

func (c *pair) lateness() time.Duration {
	return c.dice.lateness(time.Duration(c.proxy.delayMin.Load()), time.Duration(c.proxy.delayMax.Load()))
}

func (c *pair) delay(f frame, bite func(Fault, string)) {
	after := c.lateness()
	if f.call && c.dice.intn(2) == 0 {
		c.plan(f, plan{fault: Delay, after: after})
		c.up.push(item{data: f.data})
		return
	}
	it := item{data: f.data, done: func() { bite(Delay, fmt.Sprintf("the request, by %v", after.Round(time.Millisecond))) }}
	if f.lone {
		c.up.pushLate(it, after)
		return
	}
	it.at = time.Now().Add(after)
	c.up.push(it)
}

func (c *pair) double(f frame, bite func(Fault, string)) {
	after := time.Duration(0)
	if c.dice.intn(2) == 0 {
		after = c.lateness()
	}
	c.up.push(item{data: f.data})
	it := item{data: f.data, done: func() { bite(DoubleRequest, fmt.Sprintf("again after %v", after.Round(time.Millisecond))) }}
	if after == 0 {
		c.up.push(it)
		return
	}
	c.up.pushLate(it, after)
}

func (c *pair) reset(f frame, bite func(Fault, string)) {
	it := item{reset: true}
	where := "before the request"
	switch c.dice.intn(3) {
	case 1:
		it.data, where = f.data, "after the request"
	case 2:
		if len(f.data) > 1 {
			it.data, where = f.data[:1+c.dice.intn(len(f.data)-1)], "inside the request"
		}
	}
	it.done = func() { bite(Reset, where) }
	c.up.push(it)
}

func (c *pair) halfOpen(f frame, bite func(Fault, string)) {
	if c.dice.intn(2) == 0 {
		bite(HalfOpen, "before the request")
		c.hush()
		return
	}
	c.up.push(item{data: f.data, done: func() {
		bite(HalfOpen, "after the request")
		c.hush()
	}})
}

// answer does what was planned for an answer.
func (c *pair) answer(f frame) {
	c.mu.Lock()
	p := c.plans[f.id]
	delete(c.plans, f.id)
	c.mu.Unlock()
	it := item{data: f.data}
	switch p.fault {
	case LoseAnswer:
		c.bite(LoseAnswer, p.method, f.id, "")
		if !f.lone {
			c.hush()
		}
		return
	case Slow:
		it.slow, it.done = true, func() { c.bite(Slow, p.method, f.id, "the answer") }
	case Delay:
		it.done = func() {
			c.bite(Delay, p.method, f.id, fmt.Sprintf("the answer, by %v", p.after.Round(time.Millisecond)))
		}
		if f.lone {
			c.down.pushLate(it, p.after)
			return
		}
		it.at = time.Now().Add(p.after)
	}
	c.down.push(it)
}
