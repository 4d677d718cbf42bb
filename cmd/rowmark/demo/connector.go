package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"rowmark/test/cluster"
)

// connector is `rowmark run` as a process of its own.
type connector struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended
	err  error         // how; set before done is closed
}

// startConnector starts the next connector process; its log goes to a file of its own.
func (s *session) startConnector(run int) (*connector, error) {
	c := &connector{log: filepath.Join(s.dir, fmt.Sprintf("connector-%d.log", run)), done: make(chan struct{})}
	log, err := os.Create(c.log)
	if err != nil {
		return nil, fmt.Errorf("making the connector's log: %w", err)
	}
	defer func() { _ = log.Close() }() // the process has its own
	c.cmd = exec.Command(s.opts.Binary, "run", "-c", s.configFile(), "--log-format", "json")
	c.cmd.Env = cluster.ChildEnvironment()
	c.cmd.Stdout, c.cmd.Stderr = log, log
	if err := cluster.StartChild(c.cmd); err != nil {
		return nil, fmt.Errorf("starting rowmark run: %w", err)
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.done)
	}()
	s.proc = c
	return c, nil
}

func (c *connector) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// kill ends the process as a crash would; one that has ended is fine.
func (c *connector) kill() error {
	if c.ended() {
		return nil
	}
	if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the connector: %w", err)
	}
	<-c.done
	return nil
}

// stop ends the process as an operator would, and wants it to end well.
func (c *connector) stop(ctx context.Context) error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping the connector: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("it did not end within a minute"))
	defer cancel()
	select {
	case <-c.done:
	case <-ctx.Done():
		return fmt.Errorf("stopping the connector: %w", context.Cause(ctx))
	}
	if c.err != nil {
		return c.failure()
	}
	return nil
}

// failure explains an end that nobody asked for.
func (c *connector) failure() error {
	how := "it ended too early"
	if c.err != nil {
		how = c.err.Error()
	}
	return fmt.Errorf("running rowmark run: %s; the last lines of its log:\n%s", how, c.tail())
}

func (c *connector) tail() string {
	text, err := os.ReadFile(c.log)
	if err != nil {
		return err.Error()
	}
	return lastLines(text, 15)
}

func lastLines(text []byte, n int) string {
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// replayed is how many records the connector says it passed by because their rows held them already. It says so at a
// clean stop only.
func (c *connector) replayed() (int64, bool) {
	text, err := os.ReadFile(c.log)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		var last struct {
			Message  string `json:"message"`
			Replayed *int64 `json:"already_applied"`
		}
		if json.Unmarshal(line, &last) == nil && last.Message == "stopped" && last.Replayed != nil {
			return *last.Replayed, true
		}
	}
	return 0, false
}

// command runs another command of rowmark to its end, and gives what it printed.
func (s *session) command(ctx context.Context, limit time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.opts.Binary, append(args, "-c", s.configFile(), "--log-format", "json")...)
	cmd.Env = cluster.ChildEnvironment()
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("running rowmark %s: %w: %s", strings.Join(args, " "), err, lastLines(stderr.Bytes(), 15))
	}
	return string(out), nil
}
