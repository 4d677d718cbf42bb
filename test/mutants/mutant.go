package main

import (
	"slices"
	"strings"
)

// tier is what must catch a mutant.
type tier string

const (
	simulation tier = "T1" // test/sim
	wire       tier = "T2" // test/wire
)

// tests takes a package's tier apart: its folder, and which of its tests, all if none is named.
func (t tier) tests() (folder, run string) {
	folder, run, _ = strings.Cut(string(t), " ")
	return folder, run
}

// edit replaces Find, which must be in the file exactly once, by Put. In Put, $0 stands for what was found.
type edit struct {
	File, Find, Put string
}

// mutant is one way to be wrong.
type mutant struct {
	ID    string
	What  string // what is broken, for people
	By    tier   // T1, T2, or the package whose tests catch it, and perhaps a test's name
	Edits []edit
}

// mutants are all of them.
func mutants() []mutant {
	return slices.Concat(marks, windows, owners, rowWrites, letters, logs, tables, flow, clients, audits, reprocessing)
}
