package slab

import "unsafe"

// chunk is the size of one allocation in bytes. It stays in memory for as long as anything cut from it does, so it is
// small beside what a fetch brings.
const chunk = 16 << 10

// heldLargest bounds what the parts of one allocation refer to: all that stays in memory too.
const heldLargest = 64 << 10

// Slab hands out slices. The zero value is ready; it is for one goroutine at a time. What was given is not touched
// again, nor are the slices of it that were cut while it was still appended to.
type Slab[T any] struct {
	room  []T
	begun int // capacity of the allocation that room is the rest of
	next  int // capacity of the next one; 0: as large as a chunk
	held  int // bytes that its parts refer to, by Holds
}

// Open gives an empty slice to append to, with room for n. Until Give, the next Open gives the same room again.
func (s *Slab[T]) Open(n int) []T {
	if cap(s.room) < n {
		var t T
		full := max(1, chunk/int(unsafe.Sizeof(t)))
		if s.next == 0 {
			s.next = full
		}
		s.room = make([]T, 0, max(n, s.next))
		s.begun, s.held, s.next = cap(s.room), 0, min(2*s.next, full)
	}
	return s.room
}

// Holds tells that what was given since the last call refers to n bytes, as cells do to values. The collector keeps
// all of them for one part that lives, so that an allocation ends before they are many, and the next is smaller.
func (s *Slab[T]) Holds(n int) {
	if s.held += n; s.held >= heldLargest && s.room != nil {
		s.next = max(1, s.begun-cap(s.room))
		s.room, s.held = nil, 0
	}
}

// Give closes what Open gave, after it was appended to: nobody can append to it without moving it.
func (s *Slab[T]) Give(part []T) []T { return s.GiveWith(part, 0) }

// GiveWith is Give with room for some more to be appended in place, where the slab has it.
func (s *Slab[T]) GiveWith(part []T, more int) []T {
	n := len(part)
	end := min(n+more, cap(part))
	if n > cap(s.room) {
		// It grew out of the slab and has moved. What was cut from it before that still lies in the room.
		s.room = nil
	} else {
		s.room = s.room[end:end:cap(s.room)]
	}
	return part[:n:end]
}

// One places v and gives its address.
func (s *Slab[T]) One(v T) *T {
	return &s.Give(append(s.Open(1), v))[0]
}
