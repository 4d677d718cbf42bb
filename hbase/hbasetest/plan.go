package hbasetest

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Plan chooses faults by a seed: the same seed and frame number give the same fault. Give its Fault to
// Options.Faults.
type Plan struct {
	Seed uint64
	// Rates are the shares of requests that a kind befalls. Their sum is at most 1.
	Rates map[FaultKind]float64
	// Delay is the longest delay. 0 is 100 ms.
	Delay time.Duration
	// Only, if set, says which requests are in danger. Without it all of ClientService are.
	Only func(FrameInfo) bool

	healed atomic.Bool
}

// refusals are classes that say of a write that nothing of it was done.
var refusals = []string{
	"NotServingRegionException", "exceptions.RegionOpeningException", "CallQueueTooBigException", "RegionTooBusyException",
	"regionserver.WrongRegionException", "ipc.ServerNotRunningYetException", "quotas.RpcThrottlingException",
	"exceptions.RegionMovedException",
}

// doubts are classes that say nothing of it.
var doubts = []string{
	"java.io.IOException", "exceptions.TimeoutIOException", "regionserver.wal.DamagedWALException", "DroppedSnapshotException",
	"java.io.InterruptedIOException", "some.new.Exception",
}

// Heal ends all faults for good.
func (p *Plan) Heal() { p.healed.Store(true) }

// Fault is the plan's fault for a request.
func (p *Plan) Fault(f FrameInfo) Fault {
	if p.healed.Load() || p.Only == nil && f.Service != "ClientService" || p.Only != nil && !p.Only(f) {
		return Fault{}
	}
	r := rand.New(rand.NewPCG(p.Seed, f.Number))
	at := r.Float64()
	kind := NoFault
	for _, k := range FaultKinds() {
		if at < p.Rates[k] {
			kind = k
			break
		}
		at -= p.Rates[k]
	}
	longest := p.Delay
	if longest == 0 {
		longest = 100 * time.Millisecond
	}
	out := Fault{Kind: kind, Delay: time.Duration(1 + r.Int64N(int64(longest)))}
	switch kind {
	case Dribble:
		out.Delay = min(out.Delay, 2*time.Millisecond)
	case Throw, Partial:
		all := refusals
		if r.IntN(3) == 0 {
			all = doubts
		}
		out.Class = all[r.IntN(len(all))]
		out.From = r.IntN(max(f.Actions, 1))
		if out.Class == "quotas.RpcThrottlingException" {
			out.Text = "number of requests exceeded - wait 20ms"
		}
	case MoveInside:
		out.From = r.IntN(max(f.Actions, 1))
	case ThrowAfter, Abort:
		out.Class = doubts[r.IntN(len(doubts))]
		out.From = 1 + r.IntN(max(f.Actions-1, 1))
	}
	return out
}

// Even gives all kinds the same share of the sum.
func Even(sum float64) map[FaultKind]float64 {
	all := FaultKinds()
	out := make(map[FaultKind]float64, len(all))
	for _, k := range all {
		out[k] = sum / float64(len(all))
	}
	return out
}
