package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"rowmark/test/cluster"
)

// process is one run of a connector.
type process struct {
	name string // which connector, and which run of it
	log  string // its file
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	born time.Time
}

// launch starts a program with its output in a file.
func launch(name, log, binary string, args ...string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	defer func() { _ = out.Close() }() // the process has its own
	p := &process{name: name, log: log, done: make(chan struct{}), cmd: exec.Command(binary, args...), born: time.Now()}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env = out, out, cluster.ChildEnvironment()
	if err := cluster.StartChild(p.cmd); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	go func() {
		_ = p.cmd.Wait() // the state says how it ended
		close(p.done)
	}()
	return p, nil
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// signal sends one; to a process that has ended it does nothing.
func (p *process) signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("sending %v to %s: %w", s, p.name, err)
	}
	return nil
}

// exit gives the exit code, after the end; -9 for SIGKILL and so on.
func (p *process) exit() int {
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -int(status.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// wait waits for the end.
func (p *process) wait(within time.Duration) error {
	select {
	case <-p.done:
		return nil
	case <-time.After(within):
		return fmt.Errorf("waiting for %s to end: not within %v", p.name, within)
	}
}

// kill ends the process as a crash would, and waits until it is gone.
func (p *process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	return p.wait(time.Minute)
}

// said gives the lines of the process's log that hold a text.
func (p *process) said(text string) []string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return nil
	}
	var out []string
	for line := range bytes.Lines(b) {
		if bytes.Contains(line, []byte(text)) {
			out = append(out, strings.TrimSpace(string(line)))
		}
	}
	return out
}

func (p *process) tail(n int) string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
