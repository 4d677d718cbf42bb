package kafka

import (
	"maps"
	"slices"
)

// holds is what the member has, and what it is giving up.
func (m *member) holds() map[TopicPartition]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.owned)
}

// want takes over what the group has for the member, and gives up the rest of what it has.
func (m *member) want(tps []TopicPartition) {
	m.mu.Lock()
	m.wanted = map[TopicPartition]bool{}
	for _, tp := range tps {
		m.wanted[tp] = true
	}
	var away []TopicPartition
	for tp := range m.owned {
		if !m.wanted[tp] && !m.leaving[tp] {
			m.leaving[tp] = true
			away = append(away, tp)
		}
	}
	m.mu.Unlock()
	m.giveUp(away)
	m.settle()
}

// settle tells the handler of what is wanted and free to be had: what is still being given up is not.
func (m *member) settle() {
	m.mu.Lock()
	var more []TopicPartition
	for tp := range m.wanted {
		if !m.owned[tp] {
			m.owned[tp] = true
			more = append(more, tp)
		}
	}
	m.mu.Unlock()
	if len(more) > 0 {
		slices.SortFunc(more, compareTP)
		m.h.Assigned(m.generation, more)
	}
}

// giveUp lets the handler end its work, beside the heartbeats.
func (m *member) giveUp(tps []TopicPartition) {
	if len(tps) == 0 {
		return
	}
	slices.SortFunc(tps, compareTP)
	generation := m.generation
	m.giving.Go(func() {
		m.h.Revoked(generation, tps)
		m.mu.Lock()
		for _, tp := range tps {
			delete(m.owned, tp)
			delete(m.leaving, tp)
		}
		m.mu.Unlock()
		select {
		case m.given <- struct{}{}:
		default: // it is known already that something was
		}
	})
}

// gaveUp says whether all that the group wants back is given up, where it has not been told so yet.
func (m *member) gaveUp() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked := false
	for tp := range m.reported {
		asked = asked || !m.wanted[tp]
	}
	return asked && len(m.leaving) == 0
}

// leave gives everything up and then leaves the group.
func (m *member) leave() {
	m.want(nil)
	m.giving.Wait()
	m.g.setMember(nil)
	m.quit()
}
