package cluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// readyLimit bounds the time from the start of a process until it serves,
// with room for a busy machine.
const readyLimit = 3 * time.Minute

// Process is one JVM of a service. Its methods may be called at any time from
// any goroutine; those that change it run one after the other.
type Process struct {
	name    string
	argv    []string
	dir     string
	logPath string
	detach  bool
	ready   func(context.Context, *Process) error

	mu      sync.Mutex
	cmd     *exec.Cmd
	done    chan struct{} // closed when cmd has ended
	exitErr error         // set before done is closed
	logFrom int64         // size of the log when the present run began
}

// Name says which process of the service this is.
func (p *Process) Name() string { return p.name }

// LogPath is the file with everything the process printed.
func (p *Process) LogPath() string { return p.logPath }

// Pid is the id of the present or last run, 0 before the first.
func (p *Process) Pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Alive says whether the process runs or is paused.
func (p *Process) Alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alive()
}

func (p *Process) alive() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Kill ends the process with SIGKILL, as a crash would, and waits until it is
// gone. Killing a dead process does nothing.
func (p *Process) Kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.end(syscall.SIGKILL, time.Minute)
}

// Terminate asks the process to end with SIGTERM and kills it after grace.
func (p *Process) Terminate(grace time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.end(syscall.SIGTERM, grace); err == nil {
		return nil
	}
	return p.end(syscall.SIGKILL, time.Minute)
}

func (p *Process) end(sig syscall.Signal, wait time.Duration) error {
	if !p.alive() {
		return nil
	}
	if err := p.signal(sig); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(wait):
		return fmt.Errorf("ending %s: still there %v after %v", p.name, wait, sig)
	}
}

// Pause stops the process with SIGSTOP: it keeps its connections and answers
// nothing, as in a long garbage collection.
func (p *Process) Pause() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signal(syscall.SIGSTOP)
}

// Resume lets a paused process go on.
func (p *Process) Resume() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signal(syscall.SIGCONT)
}

func (p *Process) signal(sig syscall.Signal) error {
	if !p.alive() {
		return fmt.Errorf("sending %v to %s: it does not run", sig, p.name)
	}
	// The minus sends it to the whole process group.
	if err := syscall.Kill(-p.cmd.Process.Pid, sig); err != nil {
		return fmt.Errorf("sending %v to %s: %w", sig, p.name, err)
	}
	return nil
}

// Restart starts the process again after Kill (killing it first if it still
// runs), on its old ports and folders, and waits until it serves.
func (p *Process) Restart(ctx context.Context) error {
	if err := p.Kill(); err != nil {
		return err
	}
	return p.Start(ctx)
}

// Start starts the process and waits until it serves.
func (p *Process) Start(ctx context.Context) error {
	if err := p.launch(); err != nil {
		return err
	}
	if p.ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	if err := p.ready(ctx, p); err != nil {
		log, lerr := p.readLog()
		if lerr != nil {
			return fmt.Errorf("waiting for %s: %w (its log can't be read: %w)", p.name, err, lerr)
		}
		if !p.Alive() && portTaken(log) {
			err = fmt.Errorf("%w (%w)", errPortTaken, err)
		}
		return fmt.Errorf("waiting for %s: %w; from its log:\n%s", p.name, err, tellingLines(string(log)))
	}
	return nil
}

func (p *Process) launch() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.alive() {
		return fmt.Errorf("starting %s: it already runs", p.name)
	}
	log, err := os.OpenFile(p.logPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("opening the log of %s: %w", p.name, err)
	}
	// The child has its own copy of the file after the start.
	defer func() { _ = log.Close() }()
	if p.logFrom, err = log.Seek(0, io.SeekEnd); err != nil {
		return fmt.Errorf("opening the log of %s: %w", p.name, err)
	}
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Dir = p.dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = procAttr(p.detach)
	if err := startOnLastingThread(cmd); err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	done := make(chan struct{})
	p.cmd, p.done = cmd, done
	go func() {
		p.exitErr = cmd.Wait()
		close(done)
	}()
	return nil
}

// startTogether starts processes that wait for each other. When one fails the
// others have nothing to wait for any more; its error is the one to show.
func startTogether(ctx context.Context, procs ...*Process) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for _, p := range procs {
		wg.Go(func() {
			if err := p.Start(ctx); err != nil {
				once.Do(func() { first = err })
				cancel()
			}
		})
	}
	wg.Wait()
	return first
}
