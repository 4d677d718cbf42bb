package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// bench holds the broken builds, one for each tier.
type bench struct {
	root, dir, overlay string
	seeds              int
	programs           map[tier]string
}

type result struct {
	caught bool
	how    string
}

func (r result) word() string {
	if r.caught {
		return "caught"
	}
	return "SURVIVED"
}

// build makes the program of each tier that the mutants need.
func (b *bench) build(ctx context.Context, all []mutant) error {
	for _, m := range all {
		if b.programs[m.By] != "" {
			continue
		}
		folder, _ := m.By.tests()
		out := filepath.Join(b.dir, "run-"+strings.NewReplacer("/", "_", " ", "_").Replace(string(m.By)))
		args := []string{"build", "-overlay", b.overlay, "-o", out}
		switch m.By {
		case simulation:
			args = append(args, "./test/sim")
		case wire:
			args = append(args, "./test/wire")
		default:
			args = []string{"test", "-c", "-overlay", b.overlay, "-o", out, "./" + folder}
		}
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = b.root
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building the mutants for %s: %w\n%s", m.By, err, text)
		}
		b.programs[m.By] = out
	}
	return nil
}

// sane runs each build with no mutant on: it must find nothing.
func (b *bench) sane(ctx context.Context) error {
	for t := range b.programs {
		if r := b.run(ctx, t, ""); r.caught {
			return fmt.Errorf("the build for %s finds violations with no mutant on: %s", t, r.how)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// healthy is how many histories a build must pass with no mutant on.
const healthy = 40

func (b *bench) run(ctx context.Context, by tier, id string) result {
	cmd := exec.CommandContext(ctx, b.programs[by], b.args(by, id)...)
	cmd.Dir = b.root
	if by != simulation && by != wire {
		folder, _ := by.tests()
		cmd.Dir = filepath.Join(b.root, folder)
	}
	// What catches them needs no real services; a package's tests would start them for nothing.
	cmd.Env = append(os.Environ(), "ROWMARK_MUTANT="+id, "ROWMARK_SKIP_REAL=1")
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return result{false, "nothing found: " + last(text)}
	case ctx.Err() != nil || !errors.As(err, &exit):
		return result{false, "not run: " + err.Error()}
	case by != simulation && by != wire:
		return result{true, "by " + failing(text)}
	case exit.ExitCode() != 1:
		return result{true, "by a crash: " + first(text, "panic:")}
	}
	return result{true, last(text) + ": " + first(text, "seed")}
}

func (b *bench) args(by tier, id string) []string {
	n := b.seeds
	if id == "" {
		n = min(n, healthy)
	}
	switch by {
	case simulation:
		return []string{"--seeds", strconv.Itoa(n)}
	case wire:
		return []string{"--histories", strconv.Itoa(n), "--stop", "--out="}
	}
	_, run := by.tests()
	return []string{"-test.short", "-test.failfast", "-test.run", run}
}

func last(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// first gives the first line that begins so, cut to be read at a glance.
func first(text []byte, prefix string) string {
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, prefix) {
			line = strings.TrimSpace(line)
			return line[:min(len(line), 150)]
		}
	}
	return ""
}

func failing(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			return name
		}
	}
	return "a failing test"
}
