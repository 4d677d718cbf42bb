package demo

import (
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
	open     bool      // a line of progress stands there
	last     time.Time // of progress
}

// between is the least time between two lines of progress where they stay.
const between = 3 * time.Second

func (p *printer) say(format string, args ...any) { p.line("", format, args...) }

// step is a line about what goes on.
func (p *printer) step(format string, args ...any) { p.line("  ", format, args...) }

func (p *printer) line(indent, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	text := strings.TrimRight(indent+fmt.Sprintf(format, args...), " ")
	_, _ = fmt.Fprintln(p.out, text) // a lost line of a show is no reason to end it
}

// quote shows what a command said.
func (p *printer) quote(text string) {
	for line := range strings.Lines(text) {
		p.line("      ", "%s", strings.TrimRight(line, "\n"))
	}
}

func (p *printer) wipe() {
	if p.open {
		_, _ = fmt.Fprint(p.out, "\r\x1b[K")
		p.open = false
	}
}

func (p *printer) progress(part float64, format string, args ...any) {
	const width = 24
	part = min(1, max(0, part))
	full := int(part * width)
	text := fmt.Sprintf("  [%s%s] %3.0f%%  %s", strings.Repeat("#", full), strings.Repeat(".", width-full), 100*part, fmt.Sprintf(format, args...))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		_, _ = fmt.Fprint(p.out, "\r"+text+"\x1b[K")
		p.open = true
	} else if time.Since(p.last) >= between {
		_, _ = fmt.Fprintln(p.out, text)
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
