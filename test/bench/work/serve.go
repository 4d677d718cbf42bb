package work

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Serve obeys orders until its input ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var p peer
	defer p.close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer, err := p.obey(ctx, lines.Text())
		debug.FreeOSMemory() // so that the next order's peak is its own
		text := answer.String()
		if err != nil {
			text = "! " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		if _, err := fmt.Fprintln(out, text); err != nil {
			return fmt.Errorf("answering an order: %w", err)
		}
	}
	return lines.Err()
}

func (p *peer) obey(ctx context.Context, line string) (Answer, error) {
	o, err := parseOrder(line)
	if err != nil {
		return nil, err
	}
	switch o.What {
	case "write":
		return p.write(ctx, o)
	case "limit":
		return p.limit(ctx, o)
	case "read":
		return readOurs(ctx, o)
	case "read-franz":
		return readFranz(ctx, o)
	}
	return nil, fmt.Errorf("obeying an order: %q is none", o.What)
}

// timed runs the work alone on a clean heap, and says what it took.
func timed(work func() error) (Answer, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := processorTime(), time.Now()
	if err := work(); err != nil {
		return nil, err
	}
	a := Answer{"seconds": time.Since(start).Seconds(), "cpu": processorTime() - cpu}
	runtime.ReadMemStats(&after)
	a["mallocs"] = float64(after.Mallocs - before.Mallocs)
	return a, nil
}

// processorTime is what this process has used, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
