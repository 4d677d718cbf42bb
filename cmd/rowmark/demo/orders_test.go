package demo

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestStreamHasEverything(t *testing.T) {
	const n = 5000
	gen, again := newGenerator(7, n), newGenerator(7, n)
	seen := map[string]bool{}
	live := map[string]bool{}
	var tombstones, inserts, updates, back, late, nulls, notes int
	for range n {
		o := gen.order()
		if !reflect.DeepEqual(o, again.order()) {
			t.Fatal("the same seed gave another stream")
		}
		if o.late {
			late++
		}
		switch {
		case o.value == nil:
			tombstones++
			if !live[o.key] {
				t.Fatalf("%s is deleted, and was not there", o.key)
			}
			delete(live, o.key)
			continue
		case live[o.key]:
			updates++
		case seen[o.key]:
			back++
		default:
			inserts++
		}
		seen[o.key], live[o.key] = true, true
		var v value
		if err := json.Unmarshal(o.value, &v); err != nil || v.Customer == "" || v.Items < 1 {
			t.Fatalf("order %s: %v", o.value, err)
		}
		if strings.Contains(string(o.value), `"note":null`) {
			nulls++
		} else if v.Note != nil {
			notes++
		}
	}
	for name, got := range map[string]int{"tombstones": tombstones, "inserts": inserts, "updates": updates, "orders that come back": back, "late records": late, "null notes": nulls, "notes": notes} {
		if got < 20 {
			t.Errorf("%d %s among %d records", got, name, n)
		}
	}
}

func TestGates(t *testing.T) {
	// Behind the point where a kill is due, and before the next one; and a transaction at least lies before each.
	if g := gates(2); len(g) != 4 || g[0] <= 1./3 || g[1] <= g[0]+1./transactions || g[1] >= 2./3 ||
		g[2] <= 2./3 || g[3] <= g[2]+1./transactions || g[3] >= 1-1./transactions {
		t.Errorf("gates %v", g)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %s", n, got)
		}
	}
}
