// Package core is the exactly-once engine as a pure state machine: events in, actions out. It holds the
// partitions' windows, folds records into row writes under a mark, and advances the checkpoints.
//
// It has no goroutine, no clock, no randomness and no socket: time comes with each event, everything else is
// asked for by an action. One goroutine owns a Core. That is what lets a simulation replay it from a seed.
//
// The invariant it keeps, for each row and source: the records applied are exactly those of the row with an
// offset below the row's mark. Everything else (batches, retries, the checkpoint) may be cut in any way.
package core
