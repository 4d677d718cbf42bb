package proxy

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// rule is a Rule at work.
type rule struct {
	Rule
	bitten atomic.Int64
}

func (r *rule) fits(target string, proto Protocol, method string) bool {
	return (r.Target == "" || r.Target == target) && (r.Protocol == "" || r.Protocol == proto) &&
		(r.Method == "" || r.Method == method)
}

// take uses up one of the bites that the rule is good for.
func (r *rule) take() bool {
	return r.Max == 0 || r.bitten.Add(1) <= int64(r.Max)
}

// fitting is the rule that decides, or nil.
func (p *Proxy) fitting(target string, proto Protocol, method string) *rule {
	for _, r := range *p.rules.Load() {
		if r.fits(target, proto, method) && (r.Max == 0 || r.bitten.Load() < int64(r.Max)) {
			return r
		}
	}
	return nil
}

// dice are the draws of one connection; its two directions share them.
type dice struct {
	mu sync.Mutex
	r  *rand.Rand
}

func newDice(seed uint64, conn int64) *dice {
	return &dice{r: rand.New(rand.NewPCG(seed, uint64(conn)))}
}

func (d *dice) float() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.Float64()
}

func (d *dice) intn(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.IntN(n)
}

// lateness is logarithmically even between the bounds.
func (d *dice) lateness(shortest, longest time.Duration) time.Duration {
	if longest <= shortest {
		return shortest
	}
	lo, hi := math.Log(float64(max(shortest, 1))), math.Log(float64(longest))
	return time.Duration(math.Exp(lo + d.float()*(hi-lo)))
}

// draw gives the fault of one request, or "". may says which can happen to it.
func (p *Proxy) draw(d *dice, target string, proto Protocol, method string, may func(Fault) bool) Fault {
	r := p.fitting(target, proto, method)
	if r == nil {
		return ""
	}
	u := d.float()
	for _, f := range drawn {
		rate := r.Rates[f]
		if u < rate {
			if may(f) && r.take() {
				return f
			}
			return ""
		}
		u -= rate
	}
	return ""
}
