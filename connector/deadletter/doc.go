// Package deadletter is the table of dead letters: what a letter holds, where it stands, and how it is tried again.
//
// The engine writes letters as rows like any other, under marks and conditions, so this package only makes them
// (Source, Raw), and says what a topic gets of them (Message). The commands read them (Table), and write their records (Retry) under a source of their own.
package deadletter
