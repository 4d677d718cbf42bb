package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	length time.Duration
	seed   uint64
	rate   float64
	report string
	only   string
	direct bool
	keep   bool
	spoil  bool
	dir    string
}

// Exit codes: 1 for a violation or a void run, 2 for wrong flags.
func main() {
	o := options{}
	flag.DurationVar(&o.length, "duration", 10*time.Minute, "how long records flow and faults happen; start and check come to it")
	flag.Uint64Var(&o.seed, "seed", 0, "seed of plan and workload; 0 draws one")
	flag.Float64Var(&o.rate, "rate", 345, "records a second to the main topic")
	flag.StringVar(&o.report, "report", "", "where to write the report, a Markdown file or a folder to put one into")
	flag.StringVar(&o.only, "only", "", "classes of faults to plan, by a part of their names, separated by commas; all unless given")
	flag.BoolVar(&o.direct, "direct", false, "let the connectors dial the services themselves: no faults of frames")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder of the run in any case")
	flag.BoolVar(&o.spoil, "spoil", false, "before the check, add 1 to one counter by HBase's own client: the run must then fail with one violation, or the check is blind")
	flag.StringVar(&o.dir, "dir", "", "where to make the folder of the run; the system's for temporary files unless given")
	flag.Parse()
	if flag.NArg() > 0 || o.length < time.Minute || o.rate <= 0 {
		fmt.Fprintln(os.Stderr, "chaos: want flags only, a duration of a minute or more, and a rate above 0")
		os.Exit(2)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000) + 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	line, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
	}
	if line != "" {
		fmt.Println(line)
	}
	if err != nil {
		stop()
		os.Exit(1)
	}
}

// run does it all, and gives the last line.
func run(ctx context.Context, o options) (line string, err error) {
	dir, err := os.MkdirTemp(o.dir, "rowmark-chaos-")
	if err != nil {
		return "", fmt.Errorf("making the folder of the run: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("making the folder of the run: %w", err)
	}
	file, err := os.Create(filepath.Join(dir, "run.log"))
	if err != nil {
		return "", fmt.Errorf("making the log of the run: %w", err)
	}
	defer func() { _ = file.Close() }()
	log := &logger{out: io.MultiWriter(os.Stdout, file), born: time.Now()}
	s := &stage{
		opts: o, dir: dir, log: log, truth: newTruth(), found: &findings{log: log.say}, tails: map[string]*tail{},
		edges: map[string]*edgeProducer{}, fatal: make(chan error, 1),
	}
	classes, err := o.classes()
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	r := &result{opts: o, began: time.Now(), commit: commit()}
	keep := o.keep
	defer func() {
		if err != nil && ctx.Err() == nil {
			keep = true
			s.gather(r)
			log.say("logs, plan and both dumps are in %s", dir)
		}
		err = errors.Join(err, s.close(keep))
	}()
	log.say("seed %d, %v, %d classes of faults", o.seed, o.length, len(classes))
	if err := s.prepare(ctx); err != nil {
		return "", fmt.Errorf("starting the services: %w", err)
	}
	if err := s.play(ctx, classes, r); err != nil {
		return "", err
	}
	if err := r.write(s); err != nil {
		return "", err
	}
	return r.line(), r.verdict()
}

// classes are the classes of faults to plan.
func (o options) classes() ([]class, error) {
	var out []class
	for _, group := range [][]class{processClasses(), kafkaClasses(), edgeClasses(), hbaseClasses(), tableClasses(), netClasses()} {
		for _, c := range group {
			wanted := o.only == ""
			for _, part := range strings.Split(o.only, ",") {
				wanted = wanted || part != "" && strings.Contains(c.Name, part)
			}
			if o.direct && (c.Lane == netLane || c.Name == "zookeeper cut") {
				wanted = false
			}
			if wanted {
				out = append(out, c)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("choosing classes of faults: none has %q in its name", o.only)
	}
	return out, nil
}
