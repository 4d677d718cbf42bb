package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

type options struct {
	out    string
	length time.Duration
	scheme string
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "docs/status-page.png", "where the picture goes")
	flag.DurationVar(&o.length, "for", 130*time.Second, "how long the connector runs before; its page shows two minutes")
	flag.StringVar(&o.scheme, "scheme", "light", "light or dark")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "rowmark-screenshot-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := startServices(dir)
	if err != nil {
		return err
	}
	defer s.close()
	end, err := startConnector(ctx, dir, s)
	if err != nil {
		return err
	}
	defer end()
	fmt.Printf("running for %v; the page is at http://%s/\n", o.length, s.admin)
	picture, err := s.picture(ctx, o)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.out, picture, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d kB\n", o.out, len(picture)/1000)
	return nil
}

// picture lets the connector run under load, and takes the picture while it does.
func (s *services) picture(ctx context.Context, o options) ([]byte, error) {
	loading, calm := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.load(loading, o.length) }()
	select {
	case err := <-done: // before its time: interrupted, or failed
		calm()
		return nil, errors.Join(err, ctx.Err())
	case <-time.After(o.length):
	}
	picture, err := shoot(ctx, "http://"+s.admin+"/", o.scheme)
	calm()
	return picture, errors.Join(err, <-done)
}

// startConnector builds rowmark, and runs it until end is called.
func startConnector(ctx context.Context, dir string, s *services) (end func(), err error) {
	program := filepath.Join(dir, "rowmark")
	for _, command := range [][]string{{"go", "build", "-o", program, "./cmd/rowmark"}, {program, "init", "-c", s.config}} {
		if said, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("running %v: %w: %s", command, err, said)
		}
	}
	cmd := exec.CommandContext(ctx, program, "run", "-c", s.config)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Stderr, err = os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Signal(os.Interrupt) // an error is that it has ended
		_ = cmd.Wait()
	}, nil
}
