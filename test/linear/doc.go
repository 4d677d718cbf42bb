// Package linear holds recorded histories against a model of what they should be, with the Porcupine checker: the
// checkpoint of a source as a register with compare-and-set, and a data row under its mark.
//
// A history is what clients saw: when each call began, when its answer came, and what that said. It is right if
// every call can be given one instant between the two at which it took effect, such that one register (or row) that
// does one thing after the other gives all these answers.
//
//   - Record with Registers or Rows while the history runs, or build the operations from events that were written
//     down elsewhere; both kinds can be kept as JSON.
//   - CheckRegisters and CheckRows take the operations apart by their Key, check each key for itself within a budget
//     of time, and give a Report. A key that could not be decided in time is reported as that, and not as right.
//
// Times are nanoseconds of one clock for the whole history. Give a call's begin before anything of it is sent, and
// its return after the answer is read: a wider span is only a weaker check, a narrower one a wrong one.
//
// The package knows nothing of rowmark's own types, so that a mistake in them can't be made here a second time.
package linear
