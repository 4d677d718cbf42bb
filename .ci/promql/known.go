package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// known holds the labels of each metric.
type known map[string][]string

// others are those of Prometheus itself, of Go's runtime and of the process that are in use here.
var others = known{
	"up": nil, "process_start_time_seconds": nil, "process_resident_memory_bytes": nil, "process_cpu_seconds_total": nil,
	"go_memstats_heap_inuse_bytes": nil, "go_goroutines": nil,
}

// scraped are the labels that each metric gets from the scrape.
var scraped = []string{"job", "instance"}

var metricRE = regexp.MustCompile("^\\| `(rowmark_[a-z_]+)` \\| (\\w+) \\| ([a-z, ]*) \\|")

// readKnown takes the metrics from their page.
func readKnown(path string) (known, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := known{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		m := metricRE.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		labels := strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' || r == ' ' })
		if m[2] != "histogram" {
			out[m[1]] = labels
			continue
		}
		out[m[1]+"_bucket"] = append([]string{"le"}, labels...)
		out[m[1]+"_sum"], out[m[1]+"_count"] = labels, labels
	}
	if len(out) < 30 {
		return nil, fmt.Errorf("%s: only %d metrics found", path, len(out))
	}
	for name, labels := range others {
		out[name] = labels
	}
	return out, nil
}
