package e2e

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The usual kafka.session_timeout, and what may come on top of it.
const (
	session  = 15 * time.Second
	handover = 5 * time.Second
)

// TestGroup shares partitions out among three connectors, of which some come, go, die and sleep while records flow.
// Nothing is lost or doubled, and only what has to move does.
func TestGroup(t *testing.T) {
	const partitions = 6
	m := newMembers(t, partitions)
	a := m.join()
	m.share(map[*process]int{a: 6})

	begun := time.Now()
	b := m.join()
	m.within("a second member has its share", m.share(map[*process]int{a: 3, b: 3}).Sub(begun), handover)
	begun = time.Now()
	c := m.join()
	m.within("a third member has its share", m.share(map[*process]int{a: 2, b: 2, c: 2}).Sub(begun), handover)
	moved := func() int { return a.gaveUp() + b.gaveUp() + c.gaveUp() }
	if n := moved(); n != 3+2 {
		t.Errorf("%d partitions moved for two new members, want 5", n)
	}

	begun = time.Now()
	b.signal(syscall.SIGTERM)
	m.within("a member left", m.share(map[*process]int{a: 3, c: 3}).Sub(begun), handover)
	b.ends(0, "checkpoint released")
	if n := a.gaveUp() + c.gaveUp(); n != 4 {
		t.Errorf("as a member left, those that stay gave up %d partitions", n-4)
	}

	begun = time.Now()
	c.kill()
	m.within("a member was killed", m.share(map[*process]int{a: 6}).Sub(begun), session+handover)
	if n := a.gaveUp(); n != 4 {
		t.Errorf("as a member was killed, the other gave up %d partitions", n-4)
	}
	m.finish()
	// A dead member's lease is over before the group gives its partitions away.
	for _, p := range m.all {
		if strings.Contains(p.output(), "waiting for the lease") {
			t.Error("a member waited for a lease")
		}
	}
	m.noLag()
}

// TestGroupMemberSleeps stops a member's clock for longer than its session: the others take its partitions, and when it
// wakes it is a member again, and the process goes on.
func TestGroupMemberSleeps(t *testing.T) {
	m := newMembers(t, 4, "--set", "kafka.session_timeout=6s", "--set", "checkpoint.lease=3s")
	a := m.join()
	m.share(map[*process]int{a: 4})
	b := m.join()
	m.share(map[*process]int{a: 2, b: 2})
	begun := time.Now()
	b.signal(syscall.SIGSTOP)
	m.within("a member sleeps", m.share(map[*process]int{a: 4}).Sub(begun), 6*time.Second+handover)
	b.signal(syscall.SIGCONT)
	m.share(map[*process]int{a: 2, b: 2})
	m.finish()
	m.noLag()
}

// noLag demands that tools which look at the group see that all was read.
func (m *members) noLag() {
	m.t.Helper()
	lags, err := m.admin.Lag(context.Background(), m.name)
	if err != nil {
		m.t.Fatal(err)
	}
	if err := lags.Error(); err != nil {
		m.t.Fatal(err)
	}
	seen := 0
	for _, byPartition := range lags[m.name].Lag {
		for _, l := range byPartition {
			seen++
			if l.Lag != 0 {
				m.t.Errorf("tools see a lag of %d in partition %d, at %d", l.Lag, l.Partition, l.Commit.At)
			}
		}
	}
	if seen != m.partitions {
		m.t.Errorf("tools see %d partitions of %d", seen, m.partitions)
	}
}
