package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"rowmark/test/linear"
)

// result is what is known of a run at its end.
type result struct {
	opts    options
	began   time.Time
	commit  string // that the connector was built from
	plan    []episode
	nemesis *nemesis

	linear          linear.Report
	flowed, drained time.Duration
	rows, cells     int
	numbers         [faults]int
	examples        string
	records         int64
	bites, classes  int
	violations      int
	text            string

	mu        sync.Mutex
	firstRate float64
	voids     []string
}

func (r *result) void(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.voids = append(r.voids, fmt.Sprintf(format, args...))
}

// conclude sums up, once all is done.
func (r *result) conclude(s *stage) {
	r.numbers, r.examples = s.found.numbers()
	r.violations = s.found.total()
	r.records, _ = s.truth.counts()
	for _, t := range r.nemesis.tally {
		r.bites += t.bit
		if t.bit > 0 {
			r.classes++
		}
	}
	if r.firstRate < leastRate {
		r.void("before the first fault only %.0f records a second, want %d", r.firstRate, leastRate)
	}
	for _, c := range r.nemesis.unbitten() {
		r.void("never bit: %s", c)
	}
	if s.audit.rows.Load() == 0 {
		r.void("the auditor saw no row")
	}
}

// line is the last line of the run.
func (r *result) line() string {
	return fmt.Sprintf("%d records, %d faults in %d classes, %d violations", r.records, r.bites, r.classes, r.violations)
}

// errViolated and errVoid end a run with a failure.
var (
	errViolated = errors.New("the promise was broken")
	errVoid     = errors.New("the run proves nothing")
)

func (r *result) verdict() error {
	switch {
	case r.violations > 0:
		return errViolated
	case len(r.voids) > 0:
		return fmt.Errorf("%w: %s", errVoid, strings.Join(r.voids, "; "))
	}
	return nil
}

// write makes the report, shows it, and puts it where it is wanted.
func (r *result) write(s *stage) error {
	r.conclude(s)
	r.text = r.markdown(s)
	fmt.Println(r.text)
	if err := os.WriteFile(filepath.Join(s.dir, "report.md"), []byte(r.text), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if r.opts.report == "" {
		return nil
	}
	path := r.opts.report
	if !strings.HasSuffix(path, ".md") {
		path = filepath.Join(path, fmt.Sprintf("%s-%d.md", r.began.UTC().Format("2006-01-02"), r.opts.seed))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if err := os.WriteFile(path, []byte(r.text), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (r *result) markdown(s *stage) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	outcome := "all six numbers are zero"
	switch {
	case r.violations > 0:
		outcome = "**the promise was broken**"
	case len(r.voids) > 0:
		outcome = "**void**"
	}
	line("# Chaos, %s, seed %d: %s", r.began.UTC().Format("2006-01-02 15:04"), r.opts.seed, outcome)
	line("")
	line("| what | |")
	line("|---|---|")
	line("| commit | %s |", r.commit)
	line("| machine | %s |", machine())
	line("| records flowed | %s, target %.0f a second |", r.flowed.Round(time.Second), r.opts.rate)
	line("| committed records | %d (and %d rows, %d cells) |", r.records, r.rows, r.cells)
	line("| throughput | %.0f records a second, over all faults; %.0f before the first one |", float64(r.records)/max(1, r.flowed.Seconds()), r.firstRate)
	line("| workload's own | %d transactions aborted with %d records, %d records of unclear transactions, %d that can't be mapped |",
		s.producers.abortedTransactions.Load(), s.producers.counts[aborted].Load(), s.producers.counts[unclear].Load(), s.poisonous())
	line("| drained after the last fault | %.1f s |", r.drained.Seconds())
	line("| online auditor | %d rows in one Get each, %d rounds failed for faults, %d rows left out because the log was not read that far |",
		s.audit.rows.Load(), s.audit.failed.Load(), s.audit.skipped.Load())
	line("| checkpoint watch | %d looks, %d failed for faults |", s.watch.looks, s.watch.failed)
	line("| Porcupine, on what both read | %d checkpoints and rows, %d operations, %d not decided in time |", r.linear.Keys, r.linear.Ops, len(r.linear.Undecided))
	line("| reads left out | %d, from region servers that had been woken: HBase does not fence reads |", s.reads.wakes.left())
	line("| services that ended by themselves, and were started again | %s |", s.keeper.text())
	line("| whole run | %s, start and check included |", time.Since(r.began).Round(time.Second))
	line("")
	line("## Verdict")
	line("| %s |", strings.Join(faultNames[:], " | "))
	line("|%s", strings.Repeat("---|", int(faults)))
	line("| %s |", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(r.numbers)), " | "), "[]"))
	line("")
	for _, v := range r.voids {
		line("- void: %s", v)
	}
	if r.examples != "" {
		line("```\n%s\n```", r.examples)
	}
	line("## Faults")
	line("Recovery is the time from the end of the fault until each checkpoint that had records before it had moved, other faults included. Episodes for which the time did not last count as planned only.")
	line("")
	line("| class | planned | bit | longest recovery | the last one |")
	line("|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(r.nemesis.tally)) {
		t := r.nemesis.tally[name]
		line("| %s | %d | %d | %.1f s | %s |", name, t.planned, t.bit, t.longest.Seconds(), strings.ReplaceAll(t.last, "|", "/"))
	}
	line("")
	line("## Exit codes of the connectors")
	line("Negative ones are signals. A process that ended was started again, as systemd would.")
	line("")
	codes := s.yard.codes()
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		var parts []string
		for _, code := range slices.Sorted(maps.Keys(codes[name])) {
			parts = append(parts, fmt.Sprintf("%d: %d times", code, codes[name][code]))
		}
		line("- %s: %s", name, strings.Join(parts, ", "))
	}
	line("")
	line("Again: `go run ./test/chaos --duration %s --rate %.0f --seed %d` (the same plan and records; threads and sockets take their own order)", r.opts.length, r.opts.rate, r.opts.seed)
	line("")
	line("%s", r.line())
	return b.String()
}

func (s *stage) poisonous() int64 {
	_, n := s.truth.counts()
	return n
}

func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	c := strings.TrimSpace(string(out))
	if out, err := exec.Command("git", "status", "--porcelain", "--", "cmd", "connector", "hbase", "kafka", "rowkey").Output(); err == nil && len(out) > 0 {
		c += ", with changes"
	}
	return c
}

func machine() string {
	text := fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kb int64
		if _, err := fmt.Sscanf(string(b), "MemTotal: %d kB", &kb); err == nil {
			text += fmt.Sprintf(", %d GiB", kb>>20)
		}
	}
	return text
}

// gather puts what explains a failure into the folder of the run, and drops the services' data.
func (s *stage) gather(r *result) {
	services := filepath.Join(s.dir, "services")
	logs, _ := filepath.Glob(filepath.Join(services, "*", "*.log")) // the pattern is right
	more, _ := filepath.Glob(filepath.Join(services, "*", "*", "log"))
	for _, from := range append(logs, more...) {
		rel, err := filepath.Rel(services, from)
		if err != nil {
			continue
		}
		// Best effort: the run has failed already.
		_ = os.Rename(from, filepath.Join(s.dir, "logs", "service-"+strings.ReplaceAll(rel, string(filepath.Separator), "-")))
	}
	if err := s.truth.dump(filepath.Join(s.dir, "dump-log.txt")); err != nil {
		s.log.say("%v", err)
	}
	if r.nemesis != nil {
		_ = os.WriteFile(filepath.Join(s.dir, "acts.txt"), []byte(strings.Join(r.nemesis.acts, "\n")), 0o644)
	}
	if r.examples == "" {
		_, r.examples = s.found.numbers()
	}
	_ = os.WriteFile(filepath.Join(s.dir, "violations.txt"), []byte(r.examples), 0o644)
}
