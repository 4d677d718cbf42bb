package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// write prints a plan, one setting, act or fault a line:
//
//	seed 7
//	set parts 1
//	at 2.316s kill 12 345
//	hit write-late 4 6201
//
// Settings that are 0 are left out, and so are rates where the hits are listed.
func (p *plan) write(out io.Writer) {
	_, _ = fmt.Fprintf(out, "seed %d\n", p.seed)
	for _, f := range p.set.fields() {
		if *f.value != 0 && !(p.explicit && strings.HasPrefix(f.name, "rate-")) {
			_, _ = fmt.Fprintf(out, "set %s %d\n", f.name, *f.value)
		}
	}
	for _, a := range p.acts {
		_, _ = fmt.Fprintf(out, "at %s %s %d %d\n", a.at, actNames[a.kind], a.n, a.m)
	}
	for _, h := range p.hits {
		_, _ = fmt.Fprintf(out, "hit %s %d %d\n", faultNames[h.kind], h.n, h.ms)
	}
}

// readPlan reads what write wrote. Lines that begin with # are passed over.
func readPlan(in io.Reader) (*plan, error) {
	p := &plan{explicit: true}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := p.line(words); err != nil {
			return nil, fmt.Errorf("reading line %d of the plan: %w", n, err)
		}
	}
	return p, lines.Err()
}

func (p *plan) line(words []string) error {
	numbers := func(words []string, into ...*int64) error {
		if len(words) != len(into) {
			return fmt.Errorf("%d numbers, want %d", len(words), len(into))
		}
		for i := range into {
			n, err := strconv.ParseInt(words[i], 10, 64)
			if err != nil {
				return err
			}
			*into[i] = n
		}
		return nil
	}
	if words[0] == "seed" && len(words) == 2 {
		n, err := strconv.ParseUint(words[1], 10, 64)
		p.seed = n
		return err
	}
	if len(words) < 3 {
		return fmt.Errorf("%q is too short", words[0])
	}
	switch words[0] {
	case "set":
		for _, f := range p.set.fields() {
			if f.name == words[1] {
				return numbers(words[2:], f.value)
			}
		}
	case "at":
		at, err := time.ParseDuration(words[1])
		if err != nil {
			return err
		}
		if k := slices.Index(actNames[:], words[2]); k >= 0 {
			a := act{at: at, kind: actKind(k)}
			err := numbers(words[3:], &a.n, &a.m)
			p.acts = append(p.acts, a)
			return err
		}
	case "hit":
		if k := slices.Index(faultNames[:], words[1]); k >= 0 {
			h, n := hit{kind: faultKind(k)}, int64(0)
			err := numbers(words[2:], &n, &h.ms)
			h.n = int(n)
			p.hits = append(p.hits, h)
			return err
		}
	}
	return fmt.Errorf("%q is not known", strings.Join(words, " "))
}
