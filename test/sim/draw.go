package main

import (
	"math/rand/v2"
	"time"
)

// span is how long the log grows and faults happen.
const span = 12 * time.Second

// theme is what a history is about, besides kills, pauses and calls that fail. What makes another's right end
// state undefined is kept apart: rows that lost their marks, say, and records that are gone from the log.
type theme int

const (
	themePlain theme = iota
	themeRestore
	themeRetention
	themeRecreate
	themeCut
	themeOffsets
	themeTTL
	themeAtLeastOnce
)

var themeShares = [...]int{themePlain: 30, themeRestore: 12, themeRetention: 14, themeRecreate: 12, themeCut: 12, themeOffsets: 12, themeTTL: 5, themeAtLeastOnce: 3}

// draw makes a plan from a seed.
func draw(seed uint64) *plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &plan{seed: seed}
	t := drawTheme(r)
	drawSettings(r, &p.set, t)
	drawActs(r, p, t)
	p.set.letters = p.set.bads * int64(r.IntN(2))
	drawFlow(r, p)
	return p
}

// drawFlow has some histories slowed down, and some paused.
func drawFlow(r *rand.Rand, p *plan) {
	for _, rate := range []*int64{&p.set.rate, &p.set.partRate} {
		if r.IntN(5) == 0 {
			*rate = int64(10 + r.IntN(60))
		}
	}
	addActs(r, p, actHalt, r.IntN(3))
}

func addActs(r *rand.Rand, p *plan, k actKind, n int) {
	for range n {
		p.acts = append(p.acts, act{time.Duration(r.IntN(int(span/time.Millisecond))) * time.Millisecond, k, r.Int64N(1 << 20), r.Int64N(1 << 20)})
	}
}

func drawTheme(r *rand.Rand) theme {
	n := r.IntN(100)
	for t, share := range themeShares {
		if n -= share; n < 0 {
			return theme(t)
		}
	}
	return themePlain
}

func drawSettings(r *rand.Rand, s *settings, t theme) {
	one := func(in int) int64 {
		if r.IntN(in) == 0 {
			return 1
		}
		return 0
	}
	*s = settings{
		parts: int64(1 + r.IntN(3)), records: int64(30 + r.IntN(60)), regions: int64(1 + r.IntN(4)), region: one(2),
		batchRows: int64(1 + r.IntN(12)), batchBytes: int64(2000 + r.IntN(30000)), ceiling: int64(5 + r.IntN(100)),
		rowMemory: int64(r.IntN(20)), times: int64(r.IntN(2)) * timesSpread, bads: one(2), counts: 1 - one(4), timed: one(3),
		sinks: 1 + one(5), split: one(2), once: one(10), ids: 1 - one(8),
	}
	s.strict = s.bads * one(3)
	rate := func(most int) int64 {
		if r.IntN(4) == 0 {
			return 0
		}
		return int64(r.IntN(most))
	}
	for k := range s.rates {
		s.rates[k] = rate(rateMost[k])
	}
	switch t {
	case themePlain:
		s.remap = one(2)
	case themeRetention:
		s.remap, s.outOfRange = one(3), int64(r.IntN(3))
	case themeRecreate, themeCut:
		s.remap, s.logChanged, s.ids = one(3), int64(r.IntN(2)), 1
	case themeTTL:
		s.ttl, s.times, s.strict = int64(20_000+r.IntN(10_000)), timesSpread, 0
	case themeAtLeastOnce:
		s.atLeastOnce, s.times, s.counts, s.timed, s.sinks, s.bads, s.strict = 1, timesRising, 0, 0, 1, 0, 0
	}
	if s.strict > 0 {
		s.remap = 0 // a stored mapping that stops at a record has to be made lenient first, and may change only then
	}
}

// rateMost is the highest rate of each fault, in thousandths.
var rateMost = [faultKinds]int{
	writeBusy: 80, writeMoved: 80, writeUnsorted: 30, writeLost: 80, writeNoAnswer: 150, writeLate: 100, writeDoubled: 100,
	writeSlow: 40, writePartial: 100, lookBusy: 100, witnessBusy: 100, readFails: 100, swapBusy: 60, swapLost: 60,
	swapNoAnswer: 100, swapLate: 60, logFails: 100, fetchFails: 20,
	logStale: 500, lookStale: 120, readStale: 60,
}

func drawActs(r *rand.Rand, p *plan, t theme) {
	add := func(k actKind, most int) { addActs(r, p, k, r.IntN(most+1)) }
	add(actKill, 4)
	add(actStop, 1)
	add(actPause, 3)
	add(actHandOver, 3)
	add(actSpell, 1)
	add(actCompact, 3)
	add(actHang, 1)
	add(actLeader, 2)
	must := func(k actKind, most int) {
		n := len(p.acts)
		for len(p.acts) == n {
			add(k, most)
		}
	}
	switch t {
	case themeRestore:
		must(actRestore, 1)
	case themeRetention:
		must(actRetain, 3)
		add(actOutage, 1)
	case themeRecreate:
		must(actRecreate, 2)
	case themeCut:
		must(actCut, 3)
	case themeOffsets:
		must(actSet, 4)
	case themeTTL:
		must(actOutage, 2)
	}
}
