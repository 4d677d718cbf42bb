package cluster

import (
	"bufio"
	"context"
	_ "embed" // the Java source is part of the program
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// Cell is one cell, or with a type other than Put one delete marker.
type Cell struct {
	Row       string // the key's bytes
	Family    string
	Qualifier string // the bytes
	Timestamp int64  // milliseconds, or an offset in a mark
	Type      string // Put, Delete, DeleteColumn, DeleteFamily, DeleteFamilyVersion
	Value     []byte
}

// Region is one region of a table, as hbase:meta shows it.
type Region struct {
	Encoded    string // the 32 hex digits
	Start, End string // the keys' bytes; empty means open
	Server     string // host:port
}

// StartJavaClient starts the client for the HBase of this ZooKeeper.
func StartJavaClient(ctx context.Context, o Options, zookeeper []string) (*JavaClient, error) {
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	cp, err := o.classpath(ctx, "HBase "+HBaseVersion, artifact{"org.apache.hbase", "hbase-server", HBaseVersion})
	if err != nil {
		return nil, err
	}
	dir, err := o.workDir("javaclient")
	if err != nil {
		return nil, err
	}
	c := &JavaClient{dir: dir}
	if err := c.open(o, java, cp, zookeeper); err != nil {
		return nil, errors.Join(fmt.Errorf("starting HBase's Java client: %w", err), c.Close())
	}
	return c, nil
}

func (c *JavaClient) open(o Options, java, cp string, zookeeper []string) error {
	source := filepath.Join(c.dir, "HBaseTool.java")
	if err := os.WriteFile(source, hbaseTool, 0o644); err != nil {
		return err
	}
	warn := strings.Replace(log4j1, "rootLogger=INFO", "rootLogger=WARN", 1)
	if err := os.WriteFile(filepath.Join(c.dir, "log4j.properties"), []byte(warn), 0o644); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(c.dir, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	argv := slices.Concat(o.jvm(384), java17Flags,
		[]string{"-cp", c.dir + string(filepath.ListSeparator) + cp, source, strings.Join(zookeeper, ",")})
	c.cmd = exec.Command(java, argv...)
	c.cmd.Stderr = log
	c.cmd.SysProcAttr = procAttr(false)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	if err := startOnLastingThread(c.cmd); err != nil {
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

// Dump returns every version of every cell of a table, in HBase's order.
func (c *JavaClient) Dump(table string) ([]Cell, error) { return c.dump("dump", table) }

// DumpRaw returns also delete markers and what they hide, as far as it is
// still stored.
func (c *JavaClient) DumpRaw(table string) ([]Cell, error) { return c.dump("dumpraw", table) }

func (c *JavaClient) dump(command, table string) ([]Cell, error) {
	lines, err := c.lines(command, table)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(lines))
	for i, line := range lines {
		if cells[i], err = parseCell(line); err != nil {
			return nil, fmt.Errorf("reading the dump of %s: %w", table, err)
		}
	}
	return cells, nil
}

func parseCell(line string) (Cell, error) {
	f := strings.Split(line, " ")
	if len(f) != 6 {
		return Cell{}, fmt.Errorf("a line of %d fields, want 6", len(f))
	}
	ts, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return Cell{}, fmt.Errorf("reading a timestamp: %w", err)
	}
	var b [3][]byte
	for i, s := range []string{f[0], f[2], f[5]} {
		if b[i], err = unhex(s); err != nil {
			return Cell{}, err
		}
	}
	return Cell{Row: string(b[0]), Family: f[1], Qualifier: string(b[1]), Timestamp: ts, Type: f[4], Value: b[2]}, nil
}

func unhex(s string) ([]byte, error) {
	if s == "-" {
		return []byte{}, nil
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("reading hex: %w", err)
	}
	return b, nil
}

// Hex writes bytes as the commands of Do want them; "-" stands for none.
func Hex[T string | []byte](b T) string {
	if len(b) == 0 {
		return "-"
	}
	return hex.EncodeToString([]byte(b))
}

// Regions returns a table's regions in key order.
func (c *JavaClient) Regions(table string) ([]Region, error) {
	lines, err := c.lines("regions", table)
	if err != nil {
		return nil, err
	}
	regions := make([]Region, len(lines))
	for i, line := range lines {
		f := strings.Split(line, " ")
		if len(f) != 4 {
			return nil, fmt.Errorf("reading the regions of %s: a line of %d fields, want 4", table, len(f))
		}
		start, err1 := unhex(f[1])
		end, err2 := unhex(f[2])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("reading the regions of %s: %w", table, err)
		}
		regions[i] = Region{Encoded: f[0], Start: string(start), End: string(end), Server: f[3]}
	}
	return regions, nil
}

// Describe returns a table's attributes under "table" and each family's under
// "family:NAME".
func (c *JavaClient) Describe(table string) (map[string]map[string]string, error) {
	lines, err := c.lines("describe", table)
	if err != nil {
		return nil, err
	}
	d := map[string]map[string]string{}
	for _, line := range lines {
		f := strings.Split(line, " ")
		if len(f) != 3 {
			return nil, fmt.Errorf("reading the descriptor of %s: a line of %d fields, want 3", table, len(f))
		}
		for i := range f {
			if f[i] == "-" {
				f[i] = ""
			} else if f[i], err = url.QueryUnescape(f[i]); err != nil {
				return nil, fmt.Errorf("reading the descriptor of %s: %w", table, err)
			}
		}
		if d[f[0]] == nil {
			d[f[0]] = map[string]string{}
		}
		d[f[0]][f[1]] = f[2]
	}
	return d, nil
}
