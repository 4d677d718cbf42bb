package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written as 4MiB, 512KiB or a plain number.
type Size int64

var units = []struct {
	name string
	size int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"KB", 1e3}, {"B", 1}}

var errSize = errors.New("a size such as 4MiB, 512KiB or 1000000")

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	t, unit := string(text), int64(1)
	for _, u := range units {
		if number, ok := strings.CutSuffix(t, u.name); ok {
			t, unit = strings.TrimRight(number, " "), u.size
			break
		}
	}
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return errSize
	}
	*s = Size(n * unit)
	return nil
}

func (s Size) String() string {
	for _, u := range units[:4] {
		if s > 0 && int64(s)%u.size == 0 {
			return fmt.Sprintf("%d%s", int64(s)/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dB", int64(s))
}

// StartKind says which kind of start it is.
type StartKind uint8

// Kinds of start.
const (
	StartEarliest StartKind = iota
	StartLatest
	StartTime
	StartOffset
)

// Start is where a partition without a checkpoint begins.
type Start struct {
	Kind   StartKind
	Time   time.Time // of StartTime: the first record at or after it
	Offset int64     // of StartOffset
}

var errStart = errors.New("one of earliest, latest, a time such as 2026-11-01T00:00:00Z, offset:N")

// UnmarshalText reads a start.
func (s *Start) UnmarshalText(text []byte) error {
	t := string(text)
	switch t {
	case "earliest":
		*s = Start{Kind: StartEarliest}
		return nil
	case "latest":
		*s = Start{Kind: StartLatest}
		return nil
	}
	if number, ok := strings.CutPrefix(t, "offset:"); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 {
			return errStart
		}
		*s = Start{Kind: StartOffset, Offset: n}
		return nil
	}
	at, err := time.Parse(time.RFC3339Nano, t)
	if err != nil || at.UnixMilli() < 0 {
		return errStart
	}
	*s = Start{Kind: StartTime, Time: at}
	return nil
}

func (s Start) String() string {
	switch s.Kind {
	case StartLatest:
		return "latest"
	case StartTime:
		return s.Time.Format(time.RFC3339Nano)
	case StartOffset:
		return fmt.Sprintf("offset:%d", s.Offset)
	}
	return "earliest"
}
