package main

import "testing"

// A read is doubtful if a server that had been given up was woken at any time of it, and at no other time.
func TestDoubtfulReads(t *testing.T) {
	var w wakes
	before, gone := w.span(), w.span()
	if gone.doubtful() {
		t.Error("a read is doubtful though no server was woken")
	}
	var within span
	if err := w.around(true, func() error { within = w.span(); return nil }); err != nil {
		t.Fatal(err)
	}
	after := w.span()
	if err := w.around(false, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !before.doubtful() || !within.doubtful() || after.doubtful() {
		t.Errorf("before %v, within %v, after %v; want true, true, false", before.doubtful(), within.doubtful(), after.doubtful())
	}
}
