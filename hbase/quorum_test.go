package hbase

import "testing"

func TestQuorumPausesAfterARoundInVain(t *testing.T) {
	var q quorum
	if err := q.Init([]string{"a:1", "b:1", "c:1"}); err != nil || q.Len() != 3 {
		t.Fatalf("Init: %v, %d members", err, q.Len())
	}
	seen := map[string]int{}
	for i := range 7 {
		member, pause := q.Next()
		seen[member]++
		if want := i == 3 || i == 6; pause != want {
			t.Errorf("try %d: pause %v, want %v", i, pause, want)
		}
	}
	if len(seen) != 3 {
		t.Errorf("tried %v, want all three", seen)
	}
	q.Connected()
	for i := range 3 {
		if _, pause := q.Next(); pause {
			t.Errorf("try %d after a connection: a pause, want none", i)
		}
	}
}
