package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// testYard supervises a shell script in place of a connector.
func testYard(t *testing.T, script string) *yard {
	t.Helper()
	dir := t.TempDir()
	binary := filepath.Join(dir, "fake")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	y := &yard{
		binary: binary, logs: dir, log: t.Logf, found: &findings{}, all: map[string]*connector{}, exits: map[string]map[int]int{},
	}
	t.Cleanup(y.killAll)
	return y
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	if err := until(context.Background(), time.Minute, what, func() (bool, error) { return f(), nil }); err != nil {
		t.Fatal(err)
	}
}

// TestRestarted lets a process end again and again, with a code that is explained and with one that is not.
func TestRestarted(t *testing.T) {
	for code, want := range map[string]int{"3": 0, "4": 1} {
		y := testYard(t, "exit "+code)
		if _, err := y.start("c", "none"); err != nil {
			t.Fatal(err)
		}
		n := int(code[0] - '0')
		eventually(t, "two ends", func() bool { return y.codes()["c"][n] >= 2 })
		if got := y.found.total(); min(got, 1) != want {
			t.Errorf("code %s: %d findings, want %d", code, got, want)
		}
		y.killAll()
		for _, p := range y.procs {
			if !p.ended() {
				t.Errorf("%s is still there", p.name)
			}
		}
	}
}

// TestHeldAndAdopted keeps a killed process from being started, and puts a rival in another's place.
func TestHeldAndAdopted(t *testing.T) {
	y := testYard(t, "echo begun; exec sleep 600")
	c, err := y.start("c", "none")
	if err != nil {
		t.Fatal(err)
	}
	first := c.process()
	eventually(t, "the process to begin", func() bool { return len(first.said("begun")) == 1 })
	c.hold()
	if err := first.kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its end to be noted", func() bool { return y.codes()["c"][-int(syscall.SIGKILL)] == 1 })
	if c.process() != first {
		t.Error("it was started again while it was held")
	}
	c.release()
	eventually(t, "the next process", func() bool { return c.process() != first })
	second := c.process()
	rival, err := c.rival()
	if err != nil {
		t.Fatal(err)
	}
	c.adopt(rival)
	if err := second.kill(); err != nil {
		t.Fatal(err)
	}
	if err := rival.kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the rival to be followed by another", func() bool { return c.process() != rival && c.process() != second })
	y.stop(time.Minute)
	if last := c.process(); !last.ended() || last.exit() != -int(syscall.SIGTERM) {
		t.Error("the last process was not ended gently")
	}
	if err := c.launch(); err == nil {
		t.Error("a connector was started after the end")
	}
}
