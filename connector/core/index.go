package core

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// rowIndex finds rows by table and key. The hashes stand beside the rows, so that a fresh row is told from all others,
// and a forgotten one is taken out, without a look into any other row: with many rows each look is a cache miss. It is
// a map that also keeps its order from run to run. The zero value is empty.
type rowIndex struct {
	slots []rowSlot // a power of two, at most half full; a row stands at its hash or behind it, without a gap between
	size  int
}

type rowSlot struct {
	hash uint64
	row  *row // nil: free
}

func (x *rowIndex) mask() int { return len(x.slots) - 1 }

func (x *rowIndex) find(t *table, key []byte, hash uint64) *row {
	if x.size == 0 {
		return nil
	}
	for i := int(hash) & x.mask(); x.slots[i].row != nil; i = (i + 1) & x.mask() {
		if s := &x.slots[i]; s.hash == hash && s.row.tab == t && bytes.Equal(s.row.key, key) {
			return s.row
		}
	}
	return nil
}

// add takes a row that is not there.
func (x *rowIndex) add(r *row) {
	if 2*x.size >= len(x.slots) {
		old := x.slots
		x.slots = make([]rowSlot, max(64, 2*len(old)))
		for _, s := range old {
			if s.row != nil {
				x.place(s)
			}
		}
	}
	x.place(rowSlot{r.hash, r})
	x.size++
}

func (x *rowIndex) place(s rowSlot) {
	i := int(s.hash) & x.mask()
	for x.slots[i].row != nil {
		i = (i + 1) & x.mask()
	}
	x.slots[i] = s
}

// remove takes a row out that is there, and closes the gap.
func (x *rowIndex) remove(r *row) {
	gap := int(r.hash) & x.mask()
	for x.slots[gap].row != r {
		gap = (gap + 1) & x.mask()
	}
	for i := (gap + 1) & x.mask(); x.slots[i].row != nil; i = (i + 1) & x.mask() {
		// A row may move to the gap if its own place is not between the gap and where it stands.
		if home := int(x.slots[i].hash); (i-home)&x.mask() >= (i-gap)&x.mask() {
			x.slots[gap] = x.slots[i]
			gap = i
		}
	}
	x.slots[gap] = rowSlot{}
	x.size--
}

func (x *rowIndex) clear() {
	clear(x.slots)
	x.size = 0
}

// all ranges over the rows.
func (x *rowIndex) all(yield func(*row) bool) {
	for i := range x.slots {
		if r := x.slots[i].row; r != nil && !yield(r) {
			return
		}
	}
}

// hashKey spreads row keys, 8 bytes at a time. The seed is the owner's random id, so that nobody can write keys that
// all fall into one chain.
func hashKey(owner *Owner, key []byte) uint64 {
	a, b := binary.LittleEndian.Uint64(owner[:8])|1, binary.LittleEndian.Uint64(owner[8:])
	h := b ^ uint64(len(key))*a
	for ; len(key) > 8; key = key[8:] {
		h = mix(h^binary.LittleEndian.Uint64(key), a^0x9e3779b97f4a7c15)
	}
	var last [8]byte
	copy(last[:], key)
	return mix(mix(h^binary.LittleEndian.Uint64(last[:]), a^0xbf58476d1ce4e5b9), b^0x94d049bb133111eb)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
