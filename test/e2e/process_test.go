package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// patience bounds every wait for a condition: far more than any takes, even on a busy machine.
const patience = 90 * time.Second

// process is one connector, running as its own process.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	done chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

// output is what the process has written so far.
func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// command starts the program with these arguments.
func command(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, done: make(chan struct{}), cmd: exec.Command(rowmark(t), args...)}
	p.cmd.Stdout, p.cmd.Stderr = p, p
	p.cmd.Env = append(os.Environ(), env...)
	if err := cluster.StartChild(p.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the state says how it ended
		close(p.done)
	}()
	t.Cleanup(func() {
		if p.alive() {
			p.kill()
		}
		if t.Failed() && args[0] != "offsets" {
			t.Logf("rowmark %s, pid %d, %s:\n%s", strings.Join(args, " "), p.cmd.Process.Pid, p.cmd.ProcessState, lastLines(p.output(), 40))
		}
	})
	return p
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func (p *process) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// kill ends the process by SIGKILL.
func (p *process) kill() {
	p.t.Helper()
	p.signal(syscall.SIGCONT)
	p.signal(syscall.SIGKILL)
	<-p.done
}

// exit waits for the process to end by itself, and gives its exit code.
func (p *process) exit() int {
	p.t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		p.t.Fatalf("the connector did not end within %s", patience)
		return -1
	}
}

// ends demands an exit code, and texts that its output must hold.
func (p *process) ends(code int, texts ...string) {
	p.t.Helper()
	if got := p.exit(); got != code {
		p.t.Fatalf("exit code %d, want %d", got, code)
	}
	for _, text := range texts {
		if !strings.Contains(p.output(), text) {
			p.t.Fatalf("its output does not say %q", text)
		}
	}
}

// says waits until the output holds a text n times.
func (p *process) says(text string, n int) {
	p.t.Helper()
	eventually(p.t, "the connector to say "+text, func() bool {
		if strings.Count(p.output(), text) >= n {
			return true
		}
		if !p.alive() {
			p.t.Fatalf("the connector ended with %d and did not say %q", p.cmd.ProcessState.ExitCode(), text)
		}
		return false
	})
}

// eventually polls until f holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waiting for %s: not within %s", what, patience)
		}
	}
}
