package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
)

// newLog logs for people on a terminal and as JSON elsewhere, unless the format is given.
func newLog(format, level string) (zerolog.Logger, error) {
	lvl, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), configError(fmt.Errorf("log level %q: use trace, debug, info, warn or error", level))
	}
	var out io.Writer
	switch {
	case format == "json", format == "auto" && !isatty.IsTerminal(os.Stderr.Fd()):
		out = os.Stderr
	case format == "text", format == "auto":
		out = zerolog.ConsoleWriter{Out: os.Stderr, TimeFormat: time.TimeOnly, NoColor: !isatty.IsTerminal(os.Stderr.Fd())}
	default:
		return zerolog.Nop(), configError(fmt.Errorf("log format %q: use auto, text or json", format))
	}
	zerolog.TimeFieldFormat = time.RFC3339Nano
	return zerolog.New(out).Level(lvl).With().Timestamp().Logger(), nil
}
