package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// watchEvery is the time between two looks of offsets show --watch.
const watchEvery = 2 * time.Second

// clearScreen has a terminal begin anew at the top.
const clearScreen = "\x1b[H\x1b[2J"

// watch shows the positions until ctx ends.
func (s *sides) watch(ctx context.Context, w io.Writer, o *showOptions) error {
	for {
		var page strings.Builder
		err := s.show(ctx, &page, o)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			_, _ = fmt.Fprintln(&page, "rowmark:", err) // it may be over soon
		}
		begin := clearScreen
		if !isTerminal(w) {
			begin = ""
		}
		if _, err := fmt.Fprintf(w, "%s%s, sink %s\n\n%s\n", begin, time.Now().Format(time.TimeOnly), s.config.Sink, page.String()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

func (s *sides) show(ctx context.Context, w io.Writer, o *showOptions) error {
	all, err := s.positions(ctx, o.topics)
	if err != nil {
		return err
	}
	if o.format == "json" {
		return printJSON(w, all)
	}
	return s.printPositions(w, all)
}

func (s *sides) printPositions(w io.Writer, all []position) error {
	if len(all) == 0 {
		_, err := fmt.Fprintf(w, "sink %s has no checkpoint yet, and none of its topics is there\n", s.config.Sink)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "TOPIC\tPARTITION\tCHECKPOINT\tLOG START\tSTABLE\tLOG END\tLAG\tBEHIND\tEPOCH\tADVANCED\tOWNER")
	for i := range all {
		p := &all[i]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%s\t%s\n", p.Topic, p.Partition, orDash(p.Checkpoint), p.LogStart, p.LastStable, p.LogEnd,
			p.lag(), p.behind(), p.Epoch, either(p.AdvancedAt, "-"), p.owner(s.config.Checkpoint.Lease))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range all {
		for _, note := range all[i].notes(s.config.Kafka.Start.String()) {
			if _, err := fmt.Fprintf(w, "%s/%d: %s\n", all[i].Topic, all[i].Partition, note); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *position) lag() string {
	switch {
	case p.Lag == nil:
		return "?"
	case *p.Checkpoint > p.End:
		return "past the end"
	case *p.Checkpoint < p.LogStart:
		return fmt.Sprintf("%d, %d gone", *p.Lag, p.LogStart-*p.Checkpoint)
	}
	return fmt.Sprint(*p.Lag)
}

func (p *position) behind() string {
	if p.LagSeconds == nil {
		return "?"
	}
	return span(time.Duration(*p.LagSeconds * float64(time.Second)))
}

func (p *position) owner(lease time.Duration) string {
	switch {
	case p.Owner == "":
		return "-"
	case p.LeaseOver:
		return fmt.Sprintf("%s, no beat for %s: its lease of %s is over", p.Owner, span(seconds(*p.BeatSeconds)), lease)
	}
	return fmt.Sprintf("%s, beat %s ago", p.Owner, span(seconds(*p.BeatSeconds)))
}

// notes say what the table has no room for.
func (p *position) notes(start string) []string {
	var out []string
	if p.Error != "" {
		out = append(out, p.Error)
	}
	if p.Checkpoint == nil {
		return append(out, "no checkpoint yet; rowmark run begins at kafka.start, which is "+start)
	}
	if p.AnotherLog {
		out = append(out, "the topic is not the one that the checkpoint speaks of: it was created again, or is that of another cluster; see rowmark offsets set --new-incarnation")
	}
	if p.Incarnation > 0 {
		out = append(out, fmt.Sprintf("incarnation %d of the log", p.Incarnation))
	}
	if p.Mapping == "other" {
		out = append(out, "the mapping that it goes by is not the one of the file")
	}
	if !p.Mapped && p.Error == "" {
		out = append(out, "no mapping of the file reads it, or kafka.partitions leaves it out")
	}
	return out
}

func orDash(n *int64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func either(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// span shows a time in its two largest units: 0.8s, 42s, 3m12s, 5h3m, 2d4h.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 10*time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + "s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}
