package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// totals are what the last line of a run tells that ended by itself: calls to HBase, and ranges of partitions read.
func (p *program) totals() (calls, ranges float64, err error) {
	text, err := os.ReadFile(p.log)
	if err == nil {
		calls, ranges, err = parseTotals(text)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("reading rowmark's log for its totals: %w", err)
	}
	return calls, ranges, nil
}

func parseTotals(log []byte) (calls, ranges float64, err error) {
	for line := range bytes.Lines(log) {
		var last struct {
			Message string   `json:"message"`
			Calls   *float64 `json:"hbase_calls"`
			Ranges  *float64 `json:"kafka_ranges"`
		}
		if json.Unmarshal(line, &last) == nil && last.Message == "stopped" && last.Calls != nil && last.Ranges != nil {
			return *last.Calls, *last.Ranges, nil
		}
	}
	return 0, 0, errors.New("no line tells them")
}
