package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sleeper is a small process that prints one line and waits.
func sleeper(t *testing.T, script string) *Process {
	t.Helper()
	dir := t.TempDir()
	p := &Process{
		name: "sleeper", dir: dir, logPath: filepath.Join(dir, "log"), argv: []string{"/bin/sh", "-c", script},
		ready: func(ctx context.Context, p *Process) error { return p.waitForLog(ctx, "serving") },
	}
	t.Cleanup(func() { _ = p.Kill() })
	return p
}

// state reads the letter by which Linux shows what a process does.
func state(t *testing.T, pid string) string {
	t.Helper()
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return rest[:1]
}

func TestProcessLifeCycle(t *testing.T) {
	p := sleeper(t, "echo serving; exec sleep 600")
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := p.Pid()
	if err := p.Pause(); err != nil {
		t.Error(err)
	}
	if !p.Alive() {
		t.Error("a paused process counts as dead")
	}
	if err := p.Resume(); err != nil {
		t.Error(err)
	}
	if err := p.Kill(); err != nil || p.Alive() {
		t.Errorf("after Kill: %v, alive %v", err, p.Alive())
	}
	if err := p.Pause(); err == nil {
		t.Error("pausing a dead process gave no error")
	}
	if err := p.Restart(t.Context()); err != nil || !p.Alive() || p.Pid() == first {
		t.Errorf("after Restart: %v, alive %v, pid %d (was %d)", err, p.Alive(), p.Pid(), first)
	}
	if err := p.Terminate(10 * time.Second); err != nil || p.Alive() {
		t.Errorf("after Terminate: %v, alive %v", err, p.Alive())
	}
}

func TestProcessThatEndsAtOnceShowsItsLog(t *testing.T) {
	p := sleeper(t, "echo no room for me; exit 3")
	err := p.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no room for me") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("starting it gave %v, want its exit and its last lines", err)
	}
}

func TestReadyLooksOnlyAtThePresentRun(t *testing.T) {
	// The mark comes before the line: the restart may kill the first run right after the line is seen.
	p := sleeper(t, "test -e served || { touch served; echo serving; }; exec sleep 600")
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if err := p.Restart(ctx); err == nil {
		t.Error("the first run's line was taken for the second's")
	}
}
