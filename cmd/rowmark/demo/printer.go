package demo

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// printer writes lines for people, and one line of progress that is written over on a terminal. Elsewhere progress is
// a line once in a while.
type printer struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	broken   context.CancelCauseFunc // told when out can't be written: nobody looks any more
	began    time.Time
	open     bool      // a line of progress stands there
	last     time.Time // of progress
}

// between is the least time between two lines of progress where they stay.
const between = 3 * time.Second

func newPrinter(out io.Writer, terminal bool, broken context.CancelCauseFunc) *printer {
	return &printer{out: out, terminal: terminal, broken: broken, began: time.Now()}
}

func (p *printer) say(format string, args ...any) { p.line("", format, args...) }

// step is a line about what goes on, and when.
func (p *printer) step(format string, args ...any) {
	p.line(fmt.Sprintf("%5.1f s  ", time.Since(p.began).Seconds()), format, args...)
}

func (p *printer) line(indent, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	p.write(strings.TrimRight(indent+fmt.Sprintf(format, args...), " ") + "\n")
}

func (p *printer) write(text string) {
	if _, err := io.WriteString(p.out, text); err != nil {
		p.broken(fmt.Errorf("writing what the demo says: %w", err))
	}
}

// quote shows what a command said.
func (p *printer) quote(text string) {
	for line := range strings.Lines(text) {
		p.line("           ", "%s", strings.TrimRight(line, "\n"))
	}
}

// end leaves no line of progress open, behind which others would write.
func (p *printer) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

func (p *printer) wipe() {
	if p.open {
		p.write("\r\x1b[K")
		p.open = false
	}
}

func (p *printer) progress(part float64, format string, args ...any) {
	const width = 24
	part = min(1, max(0, part))
	full := int(part * width)
	text := fmt.Sprintf("         [%s%s] %3.0f%%  %s", strings.Repeat("#", full), strings.Repeat(".", width-full), 100*part, fmt.Sprintf(format, args...))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		p.write("\r" + text + "\x1b[K")
		p.open = true
	} else if time.Since(p.last) >= between {
		p.write(text + "\n")
		p.last = time.Now()
	}
}

// count writes a number with commas between thousands.
func count[T int | int64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
