// Command bench measures rowmark against what people use today, on a real Kafka and a real HBase that it starts, and
// prints tables in Markdown, with the machine and the command that made them:
//
//	go run ./test/bench                        # all but the shape of cost, HBase on local files
//	go run ./test/bench --hdfs --only writing  # distributed HBase on HDFS
//	go run ./test/bench --only shape           # the cost against partitions, regions, ... (10 minutes)
//	go run ./test/bench --readme               # and rewrite the tables of the README and the page of performance
//
// Every contestant runs once to warm up, its result is checked, and then all run in turn, several rounds. What is
// measured runs in processes of its own: this program again, as a peer, and a JVM. It needs Linux, Java and Maven.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"rowmark/test/bench/work"
)

// options are the flags.
type options struct {
	only    string
	records int
	reps    int
	hdfs    bool
	quick   bool
	out     string
	readme  bool
	plots   string
	batch   int
	writers int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) == 2 && os.Args[1] == peerCommand {
		if err := work.Serve(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench peer:", err)
			os.Exit(1)
		}
		return
	}
	o, err := parseFlags()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func parseFlags() (options, error) {
	var o options
	flag.StringVar(&o.only, "only", "", "races to run, by a part of their names, separated by commas; an unknown one lists them all; shape/... run only when named")
	flag.IntVar(&o.records, "records", 0, "records or rows of one measurement; each suite has its own default")
	flag.IntVar(&o.reps, "reps", 3, "rounds that count, after the one that warms up")
	flag.BoolVar(&o.hdfs, "hdfs", false, "distributed HBase on HDFS in place of one JVM on local files")
	flag.BoolVar(&o.quick, "quick", false, "a few thousand records, to see that everything runs: its figures say nothing")
	flag.StringVar(&o.out, "out", "", "a file for the Markdown; standard output unless given")
	flag.BoolVar(&o.readme, "readme", false, "rewrite the parts of README.md and docs/performance.md, and the plots in docs/plots, of the suites that run")
	flag.StringVar(&o.plots, "plots", "", "a folder for the plots; docs/plots with --readme, else none are made")
	flag.IntVar(&o.batch, "batch", 2000, "rows that rowmark's writers hand over at a time")
	flag.IntVar(&o.writers, "writers", 4, "writers at a time, of each client")
	flag.Parse()
	switch {
	case flag.NArg() > 0:
		return o, fmt.Errorf("reading the flags: %q is none", flag.Arg(0))
	case o.reps < 1 || o.records < 0 || o.batch < 1 || o.writers < 1:
		return o, errors.New("reading the flags: a number is too small")
	case o.readme && (o.quick || o.reps < 3):
		return o, errors.New("reading the flags: --readme takes no figures of --quick, nor of fewer than 3 rounds")
	case o.readme && o.plots == "":
		o.plots = plotsFolder
	}
	return o, nil
}

// size is how many records a measurement has.
func (o options) size(byDefault int) int {
	switch {
	case o.records > 0:
		return o.records
	case o.quick:
		return max(3200, byDefault/200)
	}
	return byDefault
}

// storage names what HBase stands on.
func (o options) storage() string {
	if o.hdfs {
		return "HDFS"
	}
	return "local files"
}

// command is what made the figures.
func (o options) command() string {
	line := "go run ./test/bench"
	for _, a := range os.Args[1:] {
		if strings.ContainsAny(a, " ?*") {
			a = strconv.Quote(a)
		}
		line += " " + a
	}
	return line
}
