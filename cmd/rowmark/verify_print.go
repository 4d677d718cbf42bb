package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"rowmark/connector/audit"
)

// printReport prints what verify found, for people.
func printReport(w io.Writer, r *audit.Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "TOPIC\tPARTITION\tRANGE\tRECORDS\tROWS\tRIGHT\tLOST\tDOUBLED\tSTALE\tUNEXPLAINED\tNOT JUDGED")
	for i := range r.Sources {
		s := &r.Sources[i]
		_, _ = fmt.Fprintf(t, "%s\t%d\t[%d, %d)\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", s.Topic, s.Partition, s.From, s.To, s.Records, s.Rows, s.Right, s.Lost, s.Doubled, s.Stale, s.Unexplained, s.NotJudged)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for i := range r.Sources {
		writeSource(&b, &r.Sources[i])
	}
	for i := range r.Findings {
		writeFinding(&b, &r.Findings[i])
	}
	if more := r.Found - len(r.Findings); more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	if r.Wrong() == 0 && r.Err() == nil {
		writeAllRight(&b, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeAllRight closes a report without a fault; what could not be judged or explained is not called right.
func writeAllRight(b *strings.Builder, r *audit.Report) {
	var right, open int64
	for i := range r.Sources {
		right += r.Sources[i].Right
		open += r.Sources[i].Unexplained + r.Sources[i].NotJudged
	}
	fmt.Fprintf(b, "nothing is lost, doubled or stale: %s right", count(int(right), "row"))
	if open > 0 {
		fmt.Fprintf(b, ", %d unexplained or not judged", open)
	}
	b.WriteByte('\n')
}

func writeSource(b *strings.Builder, s *audit.SourceReport) {
	line := func(format string, args ...any) {
		fmt.Fprintf(b, "%s/%d: %s\n", s.Topic, s.Partition, fmt.Sprintf(format, args...))
	}
	if s.Error != "" {
		line("not verified: %s", s.Error)
	}
	for _, note := range s.Notes {
		line("%s", note)
	}
	if s.Letters > 0 {
		line("%s in dead letters", count(int(s.Letters), "record"))
	}
	if s.Skipped > 0 {
		line("%s skipped (on_error: skip)", count(int(s.Skipped), "record"))
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Reasons)) {
		line("not judged: %s (%d)", reason, s.Reasons[reason])
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Excused)) {
		line("%s not there, and rightly: %s", count(int(s.Excused[reason]), "cell"), reason)
	}
}

func writeFinding(b *strings.Builder, f *audit.Finding) {
	fmt.Fprintf(b, "%s: %s row %s", f.Kind, f.Table, f.Row)
	if f.Column != "" {
		fmt.Fprintf(b, " %s", f.Column)
	}
	fmt.Fprintf(b, ", %s/%d", f.Topic, f.Partition)
	if f.Offset >= 0 {
		fmt.Fprintf(b, " offset %d", f.Offset)
	}
	fmt.Fprintf(b, ": %s", f.Why)
	if f.Have != nil {
		fmt.Fprintf(b, "; it holds %q", *f.Have)
	}
	if f.Want != nil {
		fmt.Fprintf(b, "; it should hold %q", *f.Want)
	}
	b.WriteByte('\n')
}
