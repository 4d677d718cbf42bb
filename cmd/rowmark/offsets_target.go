package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/kafka"
)

// target is what --to or --from says.
type target struct {
	flag string
	text string
	spec kafka.OffsetSpec
	// offset is the place itself; -1: the brokers find it by spec.
	offset int64
}

// parseTarget reads what --to says.
func parseTarget(text string, now time.Time) (target, error) { return parsePlace("--to", text, now) }

// parsePlace reads an offset, also as offset:N, earliest or first, latest, last or now, a time, a day (its begin in UTC),
// or how long ago: -2h, -90m, -3d.
func parsePlace(flag, text string, now time.Time) (target, error) {
	out := target{flag: flag, text: text, offset: -1}
	if n, err := strconv.ParseInt(strings.TrimPrefix(text, "offset:"), 10, 64); err == nil && n >= 0 {
		out.offset = n
		return out, nil
	}
	switch text {
	case "earliest", "first":
		out.spec = kafka.Earliest
		return out, nil
	case "latest", "last", "now":
		out.spec = kafka.Latest
		return out, nil
	}
	at, ok := parseTime(text, now)
	if !ok || at.UnixMilli() < 0 {
		return out, configError(fmt.Errorf("%s %q: use an offset (1234 or offset:1234), a time such as 2026-11-01T00:00:00Z, a day such as 2026-11-01, how long ago such as -2h, earliest (first) or latest (last, now)", flag, text))
	}
	out.spec = kafka.AtTime(at.UnixMilli())
	return out, nil
}

func parseTime(text string, now time.Time) (time.Time, bool) {
	if ago, ok := strings.CutPrefix(text, "-"); ok {
		if days, ok := strings.CutSuffix(ago, "d"); ok {
			n, err := strconv.ParseUint(days, 10, 16)
			return now.Add(-24 * time.Hour * time.Duration(n)), err == nil
		}
		d, err := time.ParseDuration(ago)
		return now.Add(-d), err == nil && d >= 0
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// in finds the target in each log, for which it must lie between its ends.
func (t *target) in(ctx context.Context, client *kafka.Client, logs map[kafka.TopicPartition]logEnds) (map[kafka.TopicPartition]int64, error) {
	out := map[kafka.TopicPartition]int64{}
	tps := connector.PartitionsOf(logs)
	for _, tp := range tps {
		out[tp] = t.offset
	}
	if t.offset < 0 {
		found, err := client.ListOffsets(ctx, tps, t.spec)
		if err != nil {
			return nil, err
		}
		for tp, at := range found {
			if at.Err != nil {
				return nil, at.Err
			}
			out[tp] = at.Offset
		}
	}
	for _, tp := range tps {
		if log := logs[tp]; out[tp] < log.start || out[tp] > log.end {
			return nil, configError(fmt.Errorf("%s %s is outside the log of %s, which is [%d, %d]", t.flag, t.text, tp, log.start, log.end))
		}
	}
	return out, nil
}
