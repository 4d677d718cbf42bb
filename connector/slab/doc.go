// Package slab cuts small slices from larger allocations: the parts of many records cost one allocation together, and
// the garbage collector one object.
//
// It owns the room not yet given away, and nothing that was. It must not know what the slices hold: what is cut stays
// in memory until the last of its neighbours is let go, and whether that is soon is for its user to see to.
package slab
