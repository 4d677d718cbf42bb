package main

import (
	"testing"
	"time"

	"rowmark/test/cluster"
)

// TestObservations lets two clients read a checkpoint, and then one of them something older.
func TestObservations(t *testing.T) {
	read := func(client int, call, answer int64, at int64, value string) seen {
		return seen{client, call, answer, rank{1, at}, value}
	}
	good := []seen{
		read(0, 0, 10, 1, "a"), read(1, 5, 15, 1, "a"), read(0, 20, 30, 2, "b"), read(1, 25, 40, 1, "a"), // they overlap
		read(1, 50, 60, 4, "d"), read(0, 55, 70, 2, "b"), read(0, 80, 90, 4, "d"),
	}
	check := func(reads []seen) int {
		o := newObservations(1)
		o.all["x"] = reads
		report, bad, err := o.check("")
		if err != nil || report.Keys != 1 || len(report.Undecided) > 0 {
			t.Fatalf("%+v, %v", report, err)
		}
		return len(bad)
	}
	if n := check(good); n != 0 {
		t.Errorf("a right history: %d findings", n)
	}
	if n := check(append(good, read(1, 100, 110, 2, "b"))); n != 1 {
		t.Errorf("a client that reads what was overwritten: %d findings, want 1", n)
	}
	if n := check(append(good, read(1, 100, 110, 4, "e"))); n == 0 {
		t.Error("two values of one epoch and beat were not noticed")
	}
	long := make([]seen, 4*mostReads)
	for i := range long {
		at := int64(i)
		long[i] = read(i%2, 10*at, 10*at+15, at/3, string(rune('a'+at/3)))
	}
	if n := check(long); n != 0 {
		t.Errorf("a long history: %d findings", n)
	}
}

// A stale read counts against the connector, unless a region server had just been woken.
func TestStaleReads(t *testing.T) {
	second := int64(time.Second)
	read := func(client int, call, answer, at int64) seen {
		return seen{client, call * second, answer * second, rank{1, at}, string(rune('a' + at))}
	}
	for _, c := range []struct {
		name  string
		stale seen
		left  int
		bad   int
	}{
		{"answered before the wake", read(1, 35, 39, 2), 0, 1},
		{"answered after the wake", read(1, 35, 41, 2), 1, 0},
		{"asked soon after the wake", read(1, 45, 46, 2), 1, 0},
		{"asked long after the wake", read(1, 51, 52, 2), 0, 1},
		{"not stale", read(1, 45, 46, 4), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newObservations(1)
			o.wakes.add(40 * second)
			o.all["x"] = []seen{read(0, 0, 1, 1), read(1, 2, 3, 2), read(0, 20, 30, 4), c.stale, read(0, 60, 61, 5)}
			_, bad, err := o.check("")
			if err != nil || len(bad) != c.bad || o.wakes.left() != c.left {
				t.Errorf("%d findings and %d reads left out, %v; want %d and %d", len(bad), o.wakes.left(), err, c.bad, c.left)
			}
		})
	}
}

func TestValueOfARow(t *testing.T) {
	c := &cells{row: "r"}
	c.mark(mainSink+"/chaos_in/0", 7)
	c.mark(secondSink+"/chaos_in/0", 9)
	c.put("c", "n", long(2))
	r, v := ofRow(c.all)
	c.put("x", "n", long(2)) // another sink's
	if r2, v2 := ofRow(c.all); r != (rank{7}) || r2 != r || v2 != v {
		t.Errorf("got %v %q and %v %q", r, v, r2, v2)
	}
	c.put("c", "m", "new")
	_, v = ofRow(c.all)
	c.put("c", "m", "old")
	if _, v2 := ofRow(c.all); v2 != v {
		t.Error("an older version counts")
	}
	c.all = append(c.all, cluster.Cell{Family: "d", Qualifier: "id", Value: []byte("1")})
	if _, v2 := ofRow(c.all); v2 == v {
		t.Error("another value of the row is the same to it")
	}
}

func TestNoRowIsSampledTwice(t *testing.T) {
	o := newObservations(1)
	for range 100 {
		seen := map[string]bool{}
		for _, k := range o.draw([]string{"a", "b", "c"}) {
			if seen[k] {
				t.Fatalf("%s was drawn twice", k)
			}
			seen[k] = true
		}
	}
}
