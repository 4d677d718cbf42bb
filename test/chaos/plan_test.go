package main

import (
	"reflect"
	"testing"
	"time"
)

func allCosts(t *testing.T) []classCost {
	t.Helper()
	all, err := options{}.classes()
	if err != nil {
		t.Fatal(err)
	}
	var out []classCost
	for _, c := range all {
		out = append(out, c.classCost)
	}
	return out
}

// TestPlan holds plans of many seeds to what they promise.
func TestPlan(t *testing.T) {
	costs := allCosts(t)
	for seed := range uint64(200) {
		length := []time.Duration{time.Minute, 10 * time.Minute, time.Hour}[seed%3]
		plan := draw(seed, length, costs)
		if !reflect.DeepEqual(plan, draw(seed, length, costs)) {
			t.Fatalf("seed %d: drawn twice, the plan is not the same", seed)
		}
		seen := map[string]int{}
		free := map[lane]time.Duration{}
		cost := map[string]time.Duration{}
		for _, c := range costs {
			cost[c.Name] = c.Cost
		}
		for _, e := range plan {
			seen[e.Class]++
			if e.At < calm || e.At < free[e.Lane]+leastGap {
				t.Fatalf("seed %d: %v comes too early", seed, e)
			}
			free[e.Lane] = e.At + cost[e.Class]
		}
		for _, c := range costs {
			if seen[c.Name] == 0 {
				t.Fatalf("seed %d: no %s", seed, c.Name)
			}
		}
		if length >= 10*time.Minute {
			for l, end := range free {
				if end > length+time.Minute {
					t.Errorf("seed %d: the %s lane of %v ends at %v only", seed, l, length, end)
				}
			}
		}
		if length == time.Hour && len(plan) < 250 {
			t.Errorf("seed %d: an hour has %d faults only", seed, len(plan))
		}
	}
	if reflect.DeepEqual(draw(1, 10*time.Minute, costs), draw(2, 10*time.Minute, costs)) {
		t.Error("two seeds give one plan")
	}
}

func TestOnlySomeClasses(t *testing.T) {
	got, err := options{only: "flush,two starters"}.classes()
	if err != nil || len(got) != 2 {
		t.Errorf("got %d classes, %v", len(got), err)
	}
	if _, err := (options{only: "no such"}).classes(); err == nil {
		t.Error("a class that is none was accepted")
	}
	for _, c := range netClasses() {
		if some, err := (options{only: c.Name, direct: true}).classes(); err == nil {
			t.Errorf("without proxy there is still %v", some)
		}
	}
}
