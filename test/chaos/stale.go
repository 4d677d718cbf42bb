package main

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// HBase fences writes, not reads: a region server that was paused past its session, and wakes, answers reads from its
// memory until it learns that its regions are elsewhere (test/contract, TestPausedServerWritesNothing, sees it). Such
// an answer says nothing against the connector, which no read makes write: each of its writes is conditional. So what
// is wrong with a read from that time is counted and not judged; what is truly wrong, later reads show too.

// wakes are the times at which region servers were woken, in nanoseconds since the start.
type wakes struct {
	mu    sync.Mutex
	at    []int64
	stale int // reads left out
}

// wakeTime is how long a woken server may take to learn what it has lost.
const wakeTime = 10 * time.Second

func (w *wakes) add(now int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = append(w.at, now)
}

// doubtful says whether a read may have been answered by a woken server.
func (w *wakes) doubtful(call, answer int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.at, func(at int64) bool { return at <= answer && call <= at+int64(wakeTime) })
}

// leave counts reads that are left out.
func (w *wakes) leave(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stale += n
}

func (w *wakes) left() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stale
}

// judged gives the reads of one key without the doubtful ones that show less than what had been read before they began.
func (w *wakes) judged(reads []seen) []seen {
	byAnswer := slices.SortedFunc(slices.Values(reads), func(a, b seen) int { return cmp.Compare(a.answer, b.answer) })
	byCall := slices.SortedStableFunc(slices.Values(reads), func(a, b seen) int { return cmp.Compare(a.call, b.call) })
	var out []seen
	var most rank
	i := 0
	for _, r := range byCall {
		for ; i < len(byAnswer) && byAnswer[i].answer < r.call; i++ {
			if !w.doubtful(byAnswer[i].call, byAnswer[i].answer) && byAnswer[i].rank.compare(most) > 0 {
				most = byAnswer[i].rank
			}
		}
		if r.rank.compare(most) >= 0 || !w.doubtful(r.call, r.answer) {
			out = append(out, r)
		}
	}
	w.leave(len(reads) - len(out))
	return out
}

func (r rank) compare(o rank) int { return cmp.Or(cmp.Compare(r[0], o[0]), cmp.Compare(r[1], o[1])) }
