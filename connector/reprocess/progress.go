package reprocess

import (
	"sync"
	"time"

	"rowmark/connector/status"
)

// progress measures how fast a run goes on.
type progress struct {
	run   *Run
	stage *Stage

	mu    sync.Mutex
	began time.Time // when the first offset was passed in this process
	from  int64     // what was passed by then
}

// status is how far the run is. It may be asked for at any time.
func (p *progress) status() *status.Reprocess {
	out := &status.Reprocess{
		ID: p.run.ID, From: time.UnixMilli(p.run.Window.From).UTC(), To: time.UnixMilli(p.run.Window.To).UTC(),
		Done: p.stage.passed(), SecondsLeft: -1,
	}
	for i := range p.run.Parts {
		out.Total += p.run.Parts[i].Tail - p.run.Parts[i].First
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began.IsZero() {
		if out.Done > 0 {
			p.began, p.from = time.Now(), out.Done
		}
		return out
	}
	if took := time.Since(p.began).Seconds(); took > 0 && out.Done > p.from {
		out.Rate = float64(out.Done-p.from) / took
		out.SecondsLeft = float64(max(0, out.Total-out.Done)) / out.Rate
	}
	return out
}
