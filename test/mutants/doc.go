// Command mutants breaks rowmark on purpose, one way after another, and sees whether the proof notices. A mutant that
// survives shows a missing invariant, fault or workload.
//
//	go run ./test/mutants [--only id] [--seeds n]
//
// A mutant is a few edits of the real sources, behind a switch. All of them go into one build by Go's -overlay, so
// that the sources themselves carry nothing; which one is on, the process learns from its environment. Each is run
// against the tier that must catch it: the pure simulation (T1), the wire simulation (T2), or the tests of a package
// (T0), for what only fixed bytes can show. The same builds with no mutant on must find nothing.
//
// The last line counts mutants, caught and survivors; with any survivor the exit code is 1.
package main
