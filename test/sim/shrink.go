package main

import (
	"time"

	"rowmark/connector/core"
)

// shrunk makes a failing plan smaller while it still fails: fewer acts and faults, a shorter log, fewer partitions and
// further tables. It gives back the smallest found within the time.
func shrunk(p *plan, mutate func(*core.Config), limit time.Duration) *plan {
	s := shrinker{mutate: mutate, end: time.Now().Add(limit)}
	// Played once with its rates, a plan knows its hits.
	best := p.copy()
	if !best.explicit {
		best.hits = nil
		play(best, false, mutate)
		best.explicit, best.set.rates = true, [faultKinds]int64{}
	}
	if !s.fails(best) {
		return p
	}
	for before := -1; before != best.size() && time.Now().Before(s.end); {
		before = best.size()
		best = s.settings(best)
		best = s.lists(best)
	}
	return best
}

type shrinker struct {
	mutate func(*core.Config)
	end    time.Time
}

func (s *shrinker) fails(p *plan) bool { return len(play(p.copy(), false, s.mutate).errs) > 0 }

func (p *plan) copy() *plan {
	c := *p
	c.acts = append([]act(nil), p.acts...)
	c.hits = append([]hit(nil), p.hits...)
	return &c
}

// size is how much there is to read in a plan.
func (p *plan) size() int {
	n := len(p.acts) + len(p.hits) + int(p.set.records*p.set.parts)
	for _, f := range p.set.fields() {
		if *f.value != 0 {
			n++
		}
	}
	return n
}

// settings tries each setting at 0, and the larger ones at half and at one less.
func (s *shrinker) settings(best *plan) *plan {
	for i, f := range best.set.fields() {
		switch f.name {
		case "batch-rows", "batch-bytes", "ceiling", "ids", "out-of-range", "log-changed":
			continue // no smaller for being lower
		}
		for _, lower := range [...]func(int64) int64{
			func(int64) int64 { return 0 },
			func(n int64) int64 { return n / 4 },
			func(n int64) int64 { return n / 2 },
			func(n int64) int64 { return n * 3 / 4 },
			func(n int64) int64 { return n - 1 },
		} {
			for time.Now().Before(s.end) {
				try := best.copy()
				v := try.set.fields()[i].value
				was, least := *v, int64(0)
				switch f.name {
				case "parts", "records", "regions", "sinks":
					least = 1
				}
				if *v = max(least, lower(*v)); *v == was || !s.fails(try) {
					break
				}
				best = try
			}
		}
	}
	return best
}

// lists drops acts and hits, in ever smaller pieces.
func (s *shrinker) lists(best *plan) *plan {
	total := func(p *plan) int { return len(p.acts) + len(p.hits) }
	for piece := total(best); piece > 0 && time.Now().Before(s.end); piece /= 2 {
		for from := 0; from < total(best) && time.Now().Before(s.end); {
			try := best.without(from, from+piece)
			if s.fails(try) {
				best = try
			} else {
				from += piece
			}
		}
	}
	return best
}

// without leaves out the acts and hits, counted as one list, of [from, to).
func (p *plan) without(from, to int) *plan {
	c := p.copy()
	c.acts, c.hits = nil, nil
	for i, a := range p.acts {
		if i < from || i >= to {
			c.acts = append(c.acts, a)
		}
	}
	for i, h := range p.hits {
		if n := len(p.acts) + i; n < from || n >= to {
			c.hits = append(c.hits, h)
		}
	}
	return c
}
