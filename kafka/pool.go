package kafka

import "sync"

// pool lends slices again that nobody uses any more. What it holds goes with the garbage when it lies idle.
// A nil one has nothing to lend and keeps nothing.
type pool[T any] struct {
	free    sync.Pool // of *[]T
	holders sync.Pool // those without a slice, so that keeping one allocates nothing
	largest int       // longer ones are not kept
}

// get gives an empty slice with room for n.
func (p *pool[T]) get(n int) []T {
	if p != nil && n > 0 {
		if h, _ := p.free.Get().(*[]T); h != nil {
			s := *h
			*h = nil
			p.holders.Put(h)
			if cap(s) >= n {
				return s[:0]
			}
		}
	}
	return make([]T, 0, n)
}

// put takes back what get gave, or what it has grown to.
func (p *pool[T]) put(s []T) {
	if p == nil || cap(s) == 0 || cap(s) > p.largest {
		return
	}
	h, _ := p.holders.Get().(*[]T)
	if h == nil {
		h = new([]T)
	}
	*h = s
	p.free.Put(h)
}
