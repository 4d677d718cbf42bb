package hbase

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// quorum hands the members' addresses to the ZooKeeper client one after another. The client's own keeper of
// addresses looks the names up here, where those behind a proxy may not be known.
type quorum struct {
	mu      sync.Mutex
	members []string
	next    int
	tried   int // since the last connection
}

// Init takes the members, in an order of its own so that not all clients begin with the same one.
func (q *quorum) Init(members []string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.members = slices.Clone(members)
	rand.Shuffle(len(q.members), func(i, j int) { q.members[i], q.members[j] = q.members[j], q.members[i] })
	q.next, q.tried = 0, 0
	return nil
}

// Len is the number of members.
func (q *quorum) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.members)
}

// Next is the member to try. retryStart says that all were tried in vain, and the client is to pause.
func (q *quorum) Next() (member string, retryStart bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	member, retryStart = q.members[q.next], q.tried >= len(q.members)
	q.next = (q.next + 1) % len(q.members)
	if retryStart {
		q.tried = 0
	}
	q.tried++
	return member, retryStart
}

// Connected is told that the member given last answers.
func (q *quorum) Connected() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tried = 0
}
