package work

import (
	"testing"
	"time"
)

// TestTallyLeavesTheStartOut: the rate is that of what came after each partition had begun.
func TestTallyLeavesTheStartOut(t *testing.T) {
	got := newTally(2)
	got.add(1, 0, 0)
	got.add(0, 10, 100)
	got.add(0, 10, 100)
	if !got.begun.IsZero() {
		t.Error("it has begun while a partition waits")
	}
	got.add(1, 10, 100)
	got.add(0, 30, 300)
	got.begun = got.start.Add(time.Second)
	a, err := source{records: 60}.check(got, Answer{"seconds": 3}, nil)
	if err != nil || a["seconds"] != 2 || a["records"] != 30 || a["bytes"] != 300 || a["first"] != 1 {
		t.Errorf("%v, %v", a, err)
	}
	once := newTally(1)
	once.add(0, 40, 400)
	if a, err := (source{records: 40}).check(once, Answer{"seconds": 3}, nil); err != nil || a["seconds"] != 3 || a["records"] != 40 {
		t.Errorf("all at once: %v, %v", a, err)
	}
	if _, err := (source{records: 61}).check(got, Answer{}, nil); err == nil {
		t.Error("a record is missing, and nobody says so")
	}
}
