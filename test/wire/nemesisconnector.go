package main

import (
	"slices"

	"rowmark/connector"
)

// reap forgets connectors that have ended, and asks why they did.
func (m *nemesis) reap() {
	m.live = slices.DeleteFunc(m.live, func(p *process) bool {
		if !p.over() {
			return false
		}
		if p.err != nil && !m.excused(connector.ExitCode(p.err)) {
			m.w.fail(I11, "connector %d ended by itself: %v", p.id, p.err)
		}
		delete(m.paused, p)
		return true
	})
}

// excused says whether a connector may end with this code in this history.
func (m *nemesis) excused(code int) bool {
	switch code {
	case connector.ExitFenced, connector.ExitUnreached, connector.ExitShutdown:
		return true
	case connector.ExitTable, connector.ExitTableOlder:
		return m.restore != nil && m.restore.begun
	case connector.ExitHole:
		return m.retained && len(m.w.processes()) > 1 // one that slept on sees the log of its follower
	}
	return false
}

// connectors kills, stops, pauses or rivals one, and starts one where there is none.
func (m *nemesis) connectors() {
	m.reap()
	w := m.w
	if len(m.live) > 0 {
		p := m.live[w.rand.IntN(len(m.live))]
		gone := func() {
			delete(m.paused, p)
			m.live = slices.DeleteFunc(m.live, func(q *process) bool { return q == p })
		}
		switch w.rand.IntN(9) {
		case 0:
			w.bite("connector killed", p.id)
			p.kill()
			gone()
		case 1:
			w.bite("connector stopped", p.id)
			p.resume()
			w.stop(p)
			gone()
		case 2:
			if len(m.live) == 1 {
				w.bite("rival connector")
				m.live = append(m.live, w.spawn(m.ctx, false))
			}
		case 3:
			if _, already := m.paused[p]; !already {
				// Past the lease, mostly: a rival takes over meanwhile.
				w.bite("connector paused", p.id)
				p.pause()
				m.paused[p] = 1 + w.rand.IntN(6)
				if len(m.live) == 1 {
					m.live = append(m.live, w.spawn(m.ctx, false))
				}
			}
		}
	}
	if len(m.live) == 0 {
		m.live = append(m.live, w.spawn(m.ctx, false))
	}
}
