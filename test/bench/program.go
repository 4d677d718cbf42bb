package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"rowmark/test/cluster"
)

// program is rowmark, running as a process of its own with its output in a file.
type program struct {
	cmd   *exec.Cmd
	log   string
	start time.Time
	done  chan struct{} // closed when it has ended
	err   error         // how, set before
}

// build makes the program as users do.
func (s *session) build(ctx context.Context) error {
	if s.binary != "" {
		return nil
	}
	to := filepath.Join(s.dir, "rowmark")
	if err := cluster.BuildRowmark(ctx, to); err != nil {
		return err
	}
	s.binary = to
	return nil
}

// launch starts it.
func (s *session) launch(name string, args ...string) (*program, error) {
	p := &program{cmd: exec.Command(s.binary, args...), log: filepath.Join(s.dir, name+".log"), done: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, fmt.Errorf("making rowmark's log: %w", err)
	}
	defer func() { _ = log.Close() }() // the process has its own
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env = log, log, cluster.ChildEnvironment()
	p.start = time.Now()
	if err := cluster.StartChild(p.cmd); err != nil {
		return nil, fmt.Errorf("starting rowmark: %w", err)
	}
	go func() {
		if err := p.cmd.Wait(); err != nil {
			text, _ := os.ReadFile(p.log) // only to explain the error
			p.err = fmt.Errorf("running rowmark: %w; its last lines:\n%s", err, lastOf(string(text), 10))
		}
		close(p.done)
	}()
	return p, nil
}

// wait waits for the end; when ctx ends first, the process is killed.
func (p *program) wait(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })()
	<-p.done
	return p.err
}

// cpu is the processor time of one that has ended, in seconds.
func (p *program) cpu() float64 {
	return (p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()).Seconds()
}

func lastOf(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
