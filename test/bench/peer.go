package main

import (
	"bufio"
	"context"
	_ "embed" // the Java source is part of the program
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"rowmark/test/bench/report"
	"rowmark/test/bench/work"
	"rowmark/test/cluster"
)

// peerCommand makes this program a peer.
const peerCommand = "peer"

//go:embed java/BenchPeer.java
var javaPeer []byte

// peer is a process that does the measured work, by orders on its standard input.
type peer struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

func startPeer(name string, cmd *exec.Cmd) (*peer, error) {
	p := &peer{name: name, cmd: cmd}
	cmd.Stderr = os.Stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting the %s peer: %w", name, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the %s peer: %w", name, err)
	}
	p.out = bufio.NewReader(out)
	if err := cluster.StartChild(cmd); err != nil {
		return nil, fmt.Errorf("starting the %s peer: %w", name, err)
	}
	return p, nil
}

// goPeer is this program again, started at the first call.
func (s *session) goPeer(context.Context) (*peer, error) {
	if s.ours == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("starting the Go peer: %w", err)
		}
		if s.ours, err = startPeer("Go", exec.Command(self, peerCommand)); err != nil {
			return nil, err
		}
	}
	return s.ours, nil
}

// javaClient is BenchPeer.java, started at the first call, with the JVM's own choice of compilers.
func (s *session) javaClient(ctx context.Context) (*peer, error) {
	if s.java == nil {
		dir := filepath.Join(s.dir, "java")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("starting the Java peer: %w", err)
		}
		o := cluster.Options{JVM: []string{"-Xmx1g"}, Log: s.line}
		cmd, err := cluster.JavaProgram(ctx, o, dir, "BenchPeer.java", javaPeer)
		if err != nil {
			return nil, fmt.Errorf("starting the Java peer: %w", err)
		}
		if s.java, err = startPeer("Java", cmd); err != nil {
			return nil, err
		}
	}
	return s.java, nil
}

// ask gives an order and waits for the answer. A peer that ctx finds at work is killed.
func (p *peer) ask(ctx context.Context, o work.Order) (work.Answer, error) {
	defer context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })()
	if _, err := fmt.Fprintln(p.in, o); err != nil {
		return nil, fmt.Errorf("ordering %s of the %s peer: %w", o.What, p.name, err)
	}
	line, err := p.out.ReadString('\n')
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for the %s peer's answer to %s: %w", p.name, o.What, err)
	}
	return work.ParseAnswer(line)
}

// measure gives an order, and looks at what it costs the servers meanwhile.
func (p *peer) measure(ctx context.Context, o work.Order, servers []int) (report.Sample, error) {
	s := report.Unmeasured()
	everyone := append([]int{p.cmd.Process.Pid}, servers...)
	if err := forgetPeak(everyone); err != nil {
		return s, err
	}
	before, err := usageOf(servers)
	if err != nil {
		return s, err
	}
	a, err := p.ask(ctx, o)
	if err != nil {
		return s, err
	}
	after, err := usageOf(servers)
	if err != nil {
		return s, err
	}
	own, err := usageOf(everyone[:1])
	if err != nil {
		return s, err
	}
	s.Seconds, s.CPU, s.RSS = a["seconds"], a["cpu"], own.peak
	s.ServerCPU, s.ServerRSS = after.cpu-before.cpu, after.peak
	for name, into := range map[string]*float64{
		"records": &s.Records, "bytes": &s.Bytes, "first": &s.First,
		"mallocs": &s.Allocs, // of all the work; who knows the number of records divides
	} {
		if v, ok := a[name]; ok {
			*into = v
		}
	}
	return s, nil
}

// close ends the peer: without input it ends by itself, at the latest when it is killed.
func (p *peer) close() error {
	if p == nil {
		return nil
	}
	closed := p.in.Close()
	kill := time.AfterFunc(20*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	return errors.Join(closed, p.cmd.Wait())
}
