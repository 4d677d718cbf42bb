// Command crash kills the connector before and after every effect it can have, and checks what the next one makes of it.
//
//	go run ./test/crash [--long n] [--only pure|live] [--scenario text]
//
// The effects are read off the type core.Action (package effect): an action that the matrix does not know ends the
// command. Package pure plays the core alone, every action of every scenario; package live plays the whole connector
// over sockets, the first, middle and last request of each effect.
//
// It prints a table for each, of effect and instant by batch shape: the cases run, and after a ! those that were wrong.
// An effect that no case was run at counts as a violation. The last line counts points, cases and violations; with any
// violation the exit code is 1. --long repeats all that with other second crashes, and with all combinations of commit
// mode and changed mapping over sockets.
package main
