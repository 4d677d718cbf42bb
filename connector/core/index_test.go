package core

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// The index agrees with a map, also where all hashes are alike.
func TestRowIndexIsAMap(t *testing.T) {
	tables := []*table{{name: "a"}, {name: "b"}}
	rapid.Check(t, func(t *rapid.T) {
		type id struct {
			tab int
			key string
		}
		var x rowIndex
		want := map[id]*row{}
		spread := rapid.SampledFrom([]uint64{0, 3, ^uint64(0)}).Draw(t, "bits of the hash")
		keys := rapid.IntRange(1, 150).Draw(t, "keys")
		for range rapid.IntRange(0, 500).Draw(t, "steps") {
			i := id{rapid.IntRange(0, 1).Draw(t, "table"), fmt.Sprint("key ", rapid.IntRange(0, keys).Draw(t, "key"))}
			hash := hashKey(&Owner{1}, []byte(i.key)) & spread
			r := x.find(tables[i.tab], []byte(i.key), hash)
			if r != want[i] {
				t.Fatalf("%v: found %v, want %v", i, r, want[i])
			}
			if r == nil {
				r = &row{tab: tables[i.tab], key: []byte(i.key), hash: hash}
				x.add(r)
				want[i] = r
			} else if rapid.Bool().Draw(t, "removed") {
				x.remove(r)
				delete(want, i)
			}
		}
		n := 0
		for r := range x.all {
			n++
			if want[id{map[string]int{"a": 0, "b": 1}[r.tab.name], string(r.key)}] != r {
				t.Fatalf("%s is there", r.key)
			}
		}
		if n != len(want) || x.size != n {
			t.Fatalf("%d rows, size %d, want %d", n, x.size, len(want))
		}
		x.clear()
		for i := range want {
			if x.find(tables[i.tab], []byte(i.key), hashKey(&Owner{1}, []byte(i.key))&spread) != nil {
				t.Fatalf("%v is there after clear", i)
			}
		}
	})
}

// Keys that differ in one byte, or in length only, spread over the places of a small index.
func TestHashKeySpreads(t *testing.T) {
	for _, owner := range []Owner{{}, {1}, {0xff, 7, 8: 9}} {
		for name, key := range map[string]func(i int) []byte{
			"counted":   func(i int) []byte { return fmt.Appendf(nil, "order-%012d", i) },
			"big":       func(i int) []byte { return fmt.Appendf(nil, "%08d-and-some-more-bytes-behind-it", i) },
			"by length": func(i int) []byte { return make([]byte, i) },
			"two bytes": func(i int) []byte { return []byte{byte(i), byte(i >> 8)} },
		} {
			const n = 4096
			var hit [n]int
			for i := range n {
				hit[hashKey(&owner, key(i))%n]++
			}
			empty := 0
			for _, h := range hit {
				if h == 0 {
					empty++
				}
			}
			// At random, 1507 of 4096 places stay empty, give or take 30.
			if empty > 1700 {
				t.Errorf("owner %x, keys %s: %d places are empty", owner[:9], name, empty)
			}
		}
	}
}
