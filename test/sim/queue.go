package main

import "time"

// task is something that happens at a time; among tasks of one time the earlier made comes first.
type task struct {
	at  time.Duration
	seq int
	run func()
}

func (t *task) before(o *task) bool { return t.at < o.at || t.at == o.at && t.seq < o.seq }

// queue is a binary heap of tasks.
type queue []task

func (q *queue) push(t task) {
	h := append(*q, t)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*q = h
}

func (q *queue) pop() task {
	h := *q
	first, last := h[0], len(h)-1
	h[0], h[last] = h[last], task{}
	h = h[:last]
	for i := 0; ; {
		least := i
		for _, child := range [...]int{2*i + 1, 2*i + 2} {
			if child < len(h) && h[child].before(&h[least]) {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*q = h
	return first
}
