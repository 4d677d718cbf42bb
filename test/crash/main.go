package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"rowmark/test/crash/effect"
	"rowmark/test/crash/live"
	"rowmark/test/crash/matrix"
	"rowmark/test/crash/pure"
)

// settings are the flags.
type settings struct {
	long     int
	only     string
	scenario string
	seconds  int
	workers  int
}

func main() {
	var s settings
	flag.IntVar(&s.long, "long", 1, "how often the matrix is run; from 2 on with more combinations")
	flag.StringVar(&s.only, "only", "", "pure (the core on models) or live (the connector over sockets); empty: both")
	flag.StringVar(&s.scenario, "scenario", "", "only scenarios whose names contain this; effects not reached are not counted then")
	flag.IntVar(&s.seconds, "seconds", 2, "first crashes of each scenario whose successors are killed too, at each of their points")
	flag.IntVar(&s.workers, "workers", 24, "how many cases over sockets run at once; they wait more than they work")
	flag.Parse()
	if flag.NArg() > 0 || s.only != "" && s.only != "pure" && s.only != "live" || s.long < 1 {
		flag.Usage()
		os.Exit(2)
	}
	debug.SetGCPercent(400)
	reg, err := effect.Current()
	if err != nil {
		fmt.Println(err)
		fmt.Println("0 points, 0 cases, 1 violations")
		os.Exit(1)
	}
	os.Exit(s.run(reg))
}

func (s *settings) run(reg *effect.Registry) int {
	var core, whole matrix.Matrix
	if s.only != "live" {
		for i := range s.long {
			pure.Run(s.pure(), reg, &core, pure.Options{Seconds: s.seconds, Offset: i * 7, Workers: runtime.GOMAXPROCS(0)})
			s.progress("the core alone", i, &core)
		}
		unreached(s.scenario, &core, pure.Missing(reg, &core))
		core.Print(os.Stdout, "the core alone")
	}
	if s.only != "pure" {
		for i := range s.long {
			live.Run(s.live(), &whole, live.Options{Workers: s.workers})
			s.progress("the connector over sockets", i, &whole)
		}
		unreached(s.scenario, &whole, live.Missing(reg, &whole))
		whole.Print(os.Stdout, "the connector over sockets")
	}
	points, cases, violations := total(&core, &whole)
	fmt.Printf("%d points, %d cases, %d violations\n", points, cases, violations)
	if violations > 0 || cases == 0 {
		return 1
	}
	return 0
}

// progress tells where a long run stands.
func (s *settings) progress(what string, i int, m *matrix.Matrix) {
	if s.long > 1 {
		p, c, v := m.Totals()
		fmt.Printf("%s, %d of %d: %d points, %d cases, %d violations\n", what, i+1, s.long, p, c, v)
	}
}

func (s *settings) pure() []*pure.Scenario {
	var out []*pure.Scenario
	for _, sc := range pure.Scenarios() {
		if strings.Contains(sc.Name(), s.scenario) {
			out = append(out, sc)
		}
	}
	return out
}

func (s *settings) live() []live.Scenario {
	var out []live.Scenario
	for _, sc := range live.Scenarios(s.long == 1) {
		if strings.Contains(sc.Name(), s.scenario) {
			out = append(out, sc)
		}
	}
	return out
}

// unreached counts effects that no case was run at.
func unreached(scenario string, m *matrix.Matrix, missing []string) {
	if scenario != "" {
		return
	}
	for _, e := range missing {
		m.Violation(e, "no scenario reaches it: a crash there was not tried")
	}
}

func total(list ...*matrix.Matrix) (points, cases, violations int) {
	for _, m := range list {
		p, c, v := m.Totals()
		points, cases, violations = points+p, cases+c, violations+v
	}
	return points, cases, violations
}
