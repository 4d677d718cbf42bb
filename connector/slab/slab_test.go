package slab

import (
	"bytes"
	"runtime"
	"testing"
	"weak"

	"pgregory.net/rapid"
)

// What was given keeps its content, whatever is opened, appended and given after it, also by those who append to it.
func TestWhatWasGivenStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Slab[int64]
		var parts, want [][]int64
		n := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "parts") {
			part := s.Open(rapid.IntRange(0, 3000).Draw(t, "room"))
			if len(part) > 0 {
				t.Fatalf("opened with %d in it", len(part))
			}
			var is []int64
			for range rapid.IntRange(0, 3000).Draw(t, "length") {
				part, is = append(part, n), append(is, n)
				n++
			}
			if rapid.Bool().Draw(t, "kept") {
				more := rapid.IntRange(0, 3).Draw(t, "more")
				part = s.GiveWith(part, more)
				for range rapid.IntRange(0, 5).Draw(t, "appended") {
					part, is = append(part, n), append(is, n)
					n++
				}
				parts, want = append(parts, part), append(want, is)
			}
		}
		for i := range parts {
			if len(parts[i]) != len(want[i]) {
				t.Fatalf("part %d has length %d, want %d", i, len(parts[i]), len(want[i]))
			}
			for j := range want[i] {
				if parts[i][j] != want[i][j] {
					t.Fatalf("part %d holds %d at %d, want %d", i, parts[i][j], j, want[i][j])
				}
			}
		}
	})
}

func TestManyShareOneAllocation(t *testing.T) {
	var s Slab[int64]
	if n := testing.AllocsPerRun(10, func() {
		for i := range int64(1000) {
			if *s.One(i) != i {
				t.Fatal("another value")
			}
		}
	}); n > 1 {
		t.Errorf("1000 integers of 8 bytes took %v allocations", n)
	}
}

// A row key is cut from the buffer before the cells behind it are written, and those may outgrow the room.
func TestSlicesCutOnTheWayStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Slab[byte]
		var cut, want [][]byte
		for i := range rapid.IntRange(2, 40).Draw(t, "parts") {
			part := s.Open(rapid.IntRange(0, 64).Draw(t, "room"))
			for range rapid.IntRange(1, 4).Draw(t, "pieces") {
				n, start := rapid.IntRange(0, 9000).Draw(t, "length"), len(part)
				for range n {
					part = append(part, byte(i))
				}
				cut, want = append(cut, part[start:len(part):len(part)]), append(want, bytes.Repeat([]byte{byte(i)}, n))
			}
			s.Give(part)
		}
		for i := range cut {
			if !bytes.Equal(cut[i], want[i]) {
				t.Fatalf("piece %d of %d bytes was written over", i, len(want[i]))
			}
		}
	})
}

// A part that lives keeps the whole allocation, and so what all its other parts refer to: that must stay little.
func TestAPartKeepsLittleOfOthers(t *testing.T) {
	for _, size := range []int{1 << 10, 10 << 10, 1 << 20} {
		var s Slab[[]byte]
		var gone []weak.Pointer[byte]
		var last *[]byte
		for range 200 {
			value := make([]byte, size)
			gone = append(gone, weak.Make(&value[0]))
			last = s.One(value)
			s.Holds(size)
		}
		runtime.GC()
		kept := 0
		for _, p := range gone {
			if p.Value() != nil {
				kept += size
			}
		}
		if most := heldLargest + size; kept > most {
			t.Errorf("of 200 values of %d bytes one is in use, and %d bytes are kept, want at most %d", size, kept, most)
		}
		runtime.KeepAlive(last)
	}
}

// Small parts of large things share allocations all the same.
func TestAllocationsFollowWhatIsHeld(t *testing.T) {
	var s Slab[[]byte]
	value := make([]byte, 10<<10)
	allocated := 0
	for range 1000 {
		before := s.room
		s.One(value)
		if before == nil || cap(before) == 0 {
			allocated += s.begun
		}
		s.Holds(len(value))
	}
	if allocated > 3000 {
		t.Errorf("1000 parts took room for %d", allocated)
	}
}
