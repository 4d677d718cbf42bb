package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"rowmark/test/bench/report"
)

// suites are all there are.
func (s *session) suites() []suite {
	all := []suite{s.reading(), s.writing(), s.pipeline(), s.latency()}
	for i := range all {
		all[i].page = "README.md"
	}
	return append(all, s.shape()...)
}

// chosen are the races with one of the parts in their names, in suites without the others.
func chosen(all []suite, only string) []suite {
	var out []suite
	for _, s := range all {
		if s.asked && only == "" {
			continue
		}
		var races []race
		for _, r := range s.races {
			if slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.Contains(r.name, strings.TrimSpace(part)) }) {
				races = append(races, r)
			}
		}
		if len(races) > 0 {
			s.races = races
			out = append(out, s)
		}
	}
	return out
}

// whole says whether each of the suites has all its races.
func whole(all, some []suite) bool {
	for _, s := range some {
		i := slices.IndexFunc(all, func(a suite) bool { return a.name == s.name })
		if len(all[i].races) != len(s.races) {
			return false
		}
	}
	return true
}

// able leaves out the suites that can't run with these flags, and says so.
func (s *session) able(some []suite) []suite {
	return slices.DeleteFunc(some, func(su suite) bool {
		if su.lacks != "" {
			s.say("left out, as it needs %s: %s", su.lacks, su.name)
		}
		return su.lacks != ""
	})
}

// run does it all. The pages are looked at first: a run takes long.
func run(ctx context.Context, o options) (err error) {
	s, err := newSession(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	all := s.suites()
	some := chosen(all, o.only)
	if len(some) == 0 {
		return fmt.Errorf("choosing races: none of these has %q in its name: %s", o.only, strings.Join(names(all), "; "))
	}
	if some = s.able(some); len(some) == 0 {
		return errors.New("choosing races: none of those that are left can run with these flags")
	}
	if o.readme {
		if !whole(all, some) {
			return errors.New("choosing races: --readme takes whole suites only")
		}
		if err := rewrite(some, func(suite) string { return "" }, false); err != nil {
			return err
		}
	}
	if s.machine, err = describeMachine(ctx); err != nil {
		return err
	}
	texts := map[string]string{}
	var whole strings.Builder
	for _, su := range some {
		text, err := s.runSuite(ctx, su)
		if err != nil {
			return err
		}
		texts[su.name] = text
		fmt.Fprintf(&whole, "### %s\n\n%s\n", su.name, text)
	}
	if o.readme {
		if err := rewrite(some, func(su suite) string { return texts[su.name] }, true); err != nil {
			return err
		}
	}
	if o.out != "" {
		if err := os.WriteFile(o.out, []byte(whole.String()), 0o644); err != nil {
			return fmt.Errorf("writing the tables: %w", err)
		}
		return nil
	}
	fmt.Print(whole.String())
	return nil
}

func names(all []suite) []string {
	var out []string
	for _, s := range all {
		for _, r := range s.races {
			out = append(out, r.name)
		}
	}
	return out
}

// runSuite gives the suite's Markdown.
func (s *session) runSuite(ctx context.Context, su suite) (string, error) {
	var results []report.Result
	ratios := report.Table{Head: []string{"on", "", "against", "ratio"}}
	for _, r := range su.races {
		got, err := r.play(ctx, s.opts.reps, s.say)
		if err != nil {
			return "", err
		}
		rows, err := su.compare(r, got)
		if err != nil {
			return "", err
		}
		results, ratios.Rows = append(results, got...), append(ratios.Rows, rows...)
	}
	text := fmt.Sprintf("%s, by `%s`. Rounds: %d; medians (least–most).\n\n%s\n\n%s", s.machine, s.opts.command(), s.opts.reps, su.about,
		report.Results(results, su.columns))
	if s.opts.quick {
		text = "**A quick run: these figures say nothing.** " + text
	}
	if len(ratios.Rows) > 0 {
		text += "\n" + ratios.String()
	}
	image, err := s.draw(su, results)
	if err != nil {
		return "", err
	}
	return text + image, nil
}
