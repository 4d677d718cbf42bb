package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
)

// screen is standard error, on which lines of the log take the place of a bar that is drawn there.
type screen struct {
	mu    sync.Mutex
	out   io.Writer
	clear func() // takes the bar away; nil: there is none
}

// Write prints lines of the log.
func (s *screen) Write(lines []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clear != nil {
		s.clear()
	}
	return s.out.Write(lines)
}

// newLog logs for people on a terminal and as JSON elsewhere, unless the format is given.
func newLog(format, level string, to io.Writer) (zerolog.Logger, error) {
	lvl, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), configError(fmt.Errorf("log level %q: use trace, debug, info, warn or error", level))
	}
	var out io.Writer
	switch {
	case format == "json", format == "auto" && !isatty.IsTerminal(os.Stderr.Fd()):
		out = to
	case format == "text", format == "auto":
		out = zerolog.ConsoleWriter{Out: to, TimeFormat: time.TimeOnly, NoColor: !isatty.IsTerminal(os.Stderr.Fd())}
	default:
		return zerolog.Nop(), configError(fmt.Errorf("log format %q: use auto, text or json", format))
	}
	zerolog.TimeFieldFormat = time.RFC3339Nano
	return zerolog.New(out).Level(lvl).With().Timestamp().Logger(), nil
}
