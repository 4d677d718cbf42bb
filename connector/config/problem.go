package config

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one fault of the configuration.
type Problem struct {
	File   string // unset if the setting did not come from the file
	Line   int    // from 1; 0 if there is none
	Origin string // environment variable or flag, if the setting came from there
	Key    string // as in kafka.brokers or tables[0].columns[2].to
	Value  string // what stands there
	Text   string // what is wrong and what is allowed
}

func (p Problem) Error() string {
	var b strings.Builder
	switch {
	case p.Origin != "":
		b.WriteString(p.Origin)
	case p.Line > 0:
		fmt.Fprintf(&b, "%s:%d", p.File, p.Line)
	default:
		b.WriteString(p.File)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	if p.Value != "" {
		fmt.Fprintf(&b, ": %q", p.Value)
	}
	return b.String() + ": " + p.Text
}

// Problems is every fault found, in the order of the file.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) sort() {
	slices.SortStableFunc(p, func(a, b Problem) int { return a.Line - b.Line })
}
