package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowmark/test/linear"
)

// A history that went wrong leaves what it did, with the page of what can't be put into an order; another leaves
// nothing.
func TestAWrongHistoryIsWrittenDown(t *testing.T) {
	w := newWorld(5, false)
	w.out = filepath.Join(t.TempDir(), "found")
	w.bite("a fault", "of the test")
	w.registers.Read(3, "s/t/0").Got([]byte("never written"))
	if err := w.save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.out); !os.IsNotExist(err) {
		t.Fatalf("a history without violations was written down: %v", err)
	}
	w.checkLinear()
	if !found(w, lin) || !strings.Contains(w.violations[0].text, w.out) {
		t.Fatalf("found %v, want a page", w.violations)
	}
	if err := w.save(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(w.out, "seed-5.log"))
	if err != nil || !strings.Contains(string(log), "a fault [of the test]") || !strings.Contains(string(log), "VIOLATION of linearizable") {
		t.Errorf("the log is %q, %v", log, err)
	}
	raw, err := os.ReadFile(filepath.Join(w.out, "seed-5.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ops struct{ Registers []linear.RegisterOp }
	if err := json.Unmarshal(raw, &ops); err != nil || len(ops.Registers) != 1 || ops.Registers[0].Got != "never written" || ops.Registers[0].Client != 3 {
		t.Errorf("the operations are %s, %v", raw, err)
	}
}

func TestATraceKeepsItsLastLines(t *testing.T) {
	tr := &trace{}
	line := strings.Repeat("x", 1<<10)
	const lines = 5 << 10
	for i := range lines {
		_, _ = fmt.Fprintf(tr, "%d %s\n", i, line) // it never fails
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := tr.save(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) > mostTrace+100 || len(b) < mostTrace-2<<10 {
		t.Fatalf("%d bytes were kept, %v", len(b), err)
	}
	if !strings.HasPrefix(string(b), "the first ") || !strings.HasSuffix(string(b), fmt.Sprintf("%d %s\n", lines-1, line)) {
		t.Errorf("it begins with %q and ends with %q", b[:40], b[len(b)-20:])
	}
}
