package proxy

import (
	"net"
	"sync"
	"time"
)

// maxQueued bounds the bytes that one direction holds, beyond the last frame
// taken in: a sender that goes on is held up, as by a full window.
const maxQueued = 8 << 20

// item is a frame on its way out.
type item struct {
	data  []byte
	at    time.Time // not before
	slow  bool
	reset bool   // RST afterwards
	done  func() // told when all is written; may be nil
}

// link is one direction of a connection: frames wait here for their turn.
type link struct {
	pair *pair
	dst  net.Conn

	mu     sync.Mutex
	change chan struct{} // closed and replaced at every change
	queue  []item
	bytes  int
	late   int // frames that are to be pushed later
	closed bool
	after  bool // a frame was written after the sender had ended
	broken bool // dst takes nothing any more
}

func newLink(p *pair, dst net.Conn) *link {
	return &link{pair: p, dst: dst, change: make(chan struct{})}
}

func (l *link) changed() {
	close(l.change)
	l.change = make(chan struct{})
}

// push puts a frame behind the others; it waits while too much is held.
func (l *link) push(it item) {
	for {
		l.mu.Lock()
		if l.bytes <= maxQueued || l.broken {
			l.add(it)
			l.mu.Unlock()
			return
		}
		ch := l.change
		l.mu.Unlock()
		select {
		case <-ch:
		case <-l.pair.ctx.Done():
			return
		}
	}
}

func (l *link) add(it item) {
	l.queue = append(l.queue, it)
	l.bytes += len(it.data)
	l.changed()
}

// pushLate puts a frame into the queue after a while; others overtake it.
func (l *link) pushLate(it item, after time.Duration) {
	l.mu.Lock()
	l.late++
	l.mu.Unlock()
	l.pair.proxy.wg.Go(func() {
		l.pair.sleep(after)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.late--
		l.add(it)
	})
}

// end says that no more frames come but those that are late.
func (l *link) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed()
}

// pop waits for the next frame; false at the end.
func (l *link) pop() (item, bool) {
	for {
		l.mu.Lock()
		if len(l.queue) > 0 {
			it := l.queue[0]
			l.queue = l.queue[1:]
			l.bytes -= len(it.data)
			l.changed()
			l.mu.Unlock()
			return it, true
		}
		over, ch := l.closed && l.late == 0, l.change
		l.mu.Unlock()
		if over {
			return item{}, false
		}
		select {
		case <-ch:
		case <-l.pair.ctx.Done():
			return item{}, false
		}
	}
}

// run writes until the direction has ended, and says whether all arrived.
func (l *link) run() bool {
	for {
		it, more := l.pop()
		if !more {
			return l.pair.ctx.Err() == nil && !l.isBroken()
		}
		if !it.at.IsZero() {
			l.pair.sleep(time.Until(it.at))
		}
		l.pair.waitSilent()
		if !l.pair.passCut() {
			return false
		}
		if l.pair.ctx.Err() != nil {
			return false
		}
		if !l.isBroken() {
			l.write(it)
		}
	}
}

// lateAtEnd says whether a frame was written when its sender had gone. A server
// drops such a call unless the connection stays a little longer.
func (l *link) lateAtEnd() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.after
}

func (l *link) isBroken() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

func (l *link) write(it item) {
	var err error
	if it.slow {
		err = l.slices(it.data)
	} else {
		_, err = l.dst.Write(it.data)
	}
	if err != nil {
		l.mu.Lock()
		l.broken = true
		l.changed()
		l.mu.Unlock()
		return
	}
	l.mu.Lock()
	l.after = l.after || l.closed
	l.mu.Unlock()
	if it.done != nil {
		it.done()
	}
	if it.reset {
		l.pair.kill(true)
	}
}

// slices writes all of data, in up to about 40 pieces with pauses between.
func (l *link) slices(data []byte) error {
	longest := 1 + len(data)/20
	for len(data) > 0 {
		n := min(len(data), 1+l.pair.dice.intn(longest))
		if _, err := l.dst.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
		l.pair.sleep(time.Duration(l.pair.dice.intn(10)) * time.Millisecond)
	}
	return nil
}
