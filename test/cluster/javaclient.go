package cluster

import (
	"bufio"
	"context"
	_ "embed" // the Java source is part of the program
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

//go:embed java/HBaseTool.java
var hbaseTool []byte

// commandLimit bounds one command; the tool itself gives up a little earlier.
const commandLimit = 2 * time.Minute

// JavaClient speaks to HBase through HBase's own Java client, in one JVM that
// stays. It is the independent witness of what a table holds, and does from
// outside what tests do to tables. Its calls may come from any goroutine and
// run one after the other.
type JavaClient struct {
	mu   sync.Mutex
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	dir  string
	dead error
}

// StartJavaClient starts the client for the HBase of this ZooKeeper.
func StartJavaClient(ctx context.Context, o Options, zookeeper []string) (*JavaClient, error) {
	dir, err := o.workDir("javaclient")
	if err != nil {
		return nil, err
	}
	c := &JavaClient{dir: dir}
	if err := c.open(ctx, o, zookeeper); err != nil {
		return nil, errors.Join(fmt.Errorf("starting HBase's Java client: %w", err), c.Close())
	}
	return c, nil
}

func (c *JavaClient) open(ctx context.Context, o Options, zookeeper []string) error {
	cmd, err := JavaProgram(ctx, o, c.dir, "HBaseTool.java", hbaseTool, strings.Join(zookeeper, ","))
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(c.dir, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	c.cmd = cmd
	c.cmd.Stderr = log
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	if err := StartChild(c.cmd); err != nil {
		c.cmd = nil
		return err
	}
	if _, err := c.answer(); err != nil {
		text, _ := os.ReadFile(log.Name()) // only to explain the error
		return fmt.Errorf("%w (it needs a JDK, not only a Java runtime); its last lines:\n%s", err, lastLines(string(text), 15))
	}
	return nil
}

// Close ends the client.
func (c *JavaClient) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd != nil {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // it may have ended by itself
		_ = c.cmd.Wait()                                      // the signal is no news
		c.cmd = nil
	}
	c.dead = errors.New("the client is closed")
	return removeWork(c.dir)
}

// Do runs one command of HBaseTool.java (see its run method for the list) and
// returns its lines. HBase's own refusal comes back as a *JavaError.
func (c *JavaClient) Do(command string, args ...string) (string, error) {
	lines, err := c.lines(command, args...)
	return strings.Join(lines, "\n"), err
}

// JavaError is an exception that HBase's client threw.
type JavaError struct{ Command, Exception string }

func (e *JavaError) Error() string {
	return "asking HBase's client to " + e.Command + ": " + e.Exception
}

func (c *JavaClient) lines(command string, args ...string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead != nil {
		return nil, fmt.Errorf("asking HBase's client to %s: %w", command, c.dead)
	}
	words := []string{url.QueryEscape(command)}
	for _, a := range args {
		words = append(words, url.QueryEscape(a))
	}
	if _, err := io.WriteString(c.in, strings.Join(words, " ")+"\n"); err != nil {
		c.dead = err
		return nil, fmt.Errorf("asking HBase's client to %s: %w", command, err)
	}
	lines, err := c.answer()
	if java := (*JavaError)(nil); errors.As(err, &java) {
		java.Command = command
		return nil, java
	}
	if err != nil {
		c.dead = err
		return nil, fmt.Errorf("asking HBase's client to %s: %w", command, err)
	}
	return lines, nil
}

// answer reads the lines of one answer. A client that says nothing for too
// long is killed, which ends the read.
func (c *JavaClient) answer() ([]string, error) {
	pid := c.cmd.Process.Pid
	timer := time.AfterFunc(commandLimit, func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
	defer timer.Stop()
	var lines []string
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("reading the client's answer (it ended, or said nothing for %v): %w", commandLimit, err)
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == ".":
			return lines, nil
		case strings.HasPrefix(line, "="):
			lines = append(lines, line[1:])
		case strings.HasPrefix(line, "!"):
			text, err := url.QueryUnescape(line[1:])
			if err != nil {
				return nil, fmt.Errorf("reading the client's answer: %w", err)
			}
			return nil, &JavaError{Exception: text}
		default:
			return nil, fmt.Errorf("reading the client's answer: unexpected line %q", line)
		}
	}
}
