package hbase

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// The cache is compared with the plainest model: a list of regions, newest last, in which a region dies when a
// later one overlaps it.
func TestRegionCacheAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newRegionCache()
		var model []*Region
		key := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 'a', 'b', 0xff}), 0, 2)
		overlaps := func(a, b *Region) bool {
			return (len(a.End) == 0 || bytes.Compare(b.Start, a.End) < 0) && (len(b.End) == 0 || bytes.Compare(a.Start, b.End) < 0)
		}
		remove := func(dead func(*Region) bool) {
			var rest []*Region
			for _, r := range model {
				if !dead(r) {
					rest = append(rest, r)
				}
			}
			model = rest
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				start, end := key.Draw(t, "start"), key.Draw(t, "end")
				if len(end) > 0 && bytes.Compare(start, end) >= 0 {
					return
				}
				r := &Region{Table: "t", Start: start, End: end, Addr: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "addr"), SeqNum: 1}
				c.put(r)
				remove(func(x *Region) bool { return overlaps(x, r) })
				model = append(model, r)
			},
			"drop": func(t *rapid.T) {
				r := c.find("t", key.Draw(t, "row"))
				if r != nil {
					c.drop(r)
					c.drop(r) // a second time does nothing
					remove(func(x *Region) bool { return x == r })
				}
			},
			"drop what is not there": func(*rapid.T) { c.drop(&Region{Table: "t"}) },
			"drop server": func(t *rapid.T) {
				addr := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "addr")
				c.dropServer(addr)
				remove(func(x *Region) bool { return x.Addr == addr })
			},
			"": func(t *rapid.T) {
				row := key.Draw(t, "row")
				var want *Region
				for _, r := range model {
					if r.Contains(row) {
						want = r
					}
				}
				if got := c.find("t", row); got != want {
					t.Fatalf("row %q: %+v, want %+v", row, got, want)
				}
				if got := c.find("other", row); got != nil {
					t.Fatalf("another table has %+v", got)
				}
			},
		})
	})
}

func TestRegionCacheFollowsOnlyNewerHints(t *testing.T) {
	c := newRegionCache()
	r := &Region{Table: "t", Addr: "a:1", SeqNum: 5}
	c.put(r)
	for _, old := range []movedTo{{}, {addr: "b:1", seqNum: 5}, {addr: "b:1", seqNum: 4}, {addr: "a:1", seqNum: 9}} {
		if c.moved(r, old) {
			t.Errorf("hint %+v was followed", old)
		}
	}
	if !c.moved(r, movedTo{"b:1", "7", 9}) {
		t.Fatal("a newer hint was not followed")
	}
	got := c.find("t", []byte("x"))
	if got.Addr != "b:1" || got.Server != "b,1,7" || got.SeqNum != 9 || r.Addr != "a:1" {
		t.Errorf("region is %+v", got)
	}
	if c.moved(r, movedTo{"c:1", "8", 10}) {
		t.Error("a hint about a forgotten place was followed")
	}
}
