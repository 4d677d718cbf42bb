package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"rowmark/connector/preview"
	"rowmark/connector/reprocess"
)

// tellReport says what a run came to.
func tellReport(out io.Writer, r *reprocess.Report, took time.Duration) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	switch {
	case r.Already:
		tellDone(out, &r.Run)
		return
	case r.Stopped:
		say("run %s of %s is stopped, and goes on by %s", r.ID, r.Run.Window, r.Again())
	case r.State == reprocess.Done:
		say("run %s of %s is done", r.ID, r.Run.Window)
	default:
		say("run %s of %s ended before it was done", r.ID, r.Run.Window)
	}
	say("  records read       %d, %d of the window", r.Counts.Records, r.Counts.Window)
	say("  row writes         %d", r.Stats.Rows)
	say("  already applied    %d", r.Stats.Replayed)
	say("  sent again behind  %d deletes, %d records of the same time", r.Counts.Deletes, r.Counts.Followers)
	if r.Stats.Skipped+r.Stats.Letters > 0 {
		say("  not written        %d skipped, %d dead letters", r.Stats.Skipped, r.Stats.Letters)
	}
	say("  took               %s", took.Round(time.Millisecond))
	tellOldKeys(say, &r.Old)
}

// tellDone says that a run has nothing left to do.
func tellDone(out io.Writer, r *reprocess.Run) {
	_, _ = fmt.Fprintf(out, "run %s of %s is done since %s: there is nothing to do\n", r.ID, r.Window, r.Ended.UTC().Format(time.RFC3339))
}

// tellOldKeys says which rows stand under keys that the mapping no longer makes.
func tellOldKeys(say func(string, ...any), o *reprocess.OldKeys) {
	switch {
	case o.Count == 0:
		return
	case o.Removed:
		say("%s under old keys, whose cells of the window and before are deleted:", count(int(o.Count), "row"))
	default:
		say("%s under old keys stay; --delete-old-keys with the old configuration, and another id, removes them:", count(int(o.Count), "row"))
	}
	for _, row := range o.Rows {
		say("  %s row %s", row.Table, preview.BytesOf(row.Row).String())
	}
	if more := o.Count - int64(len(o.Rows)); more > 0 {
		say("  and %d more", more)
	}
}

// printPlan shows what a run would do.
func printPlan(out io.Writer, p *reprocess.Plan) error {
	if p.Already {
		tellDone(out, &p.Run)
		return nil
	}
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("run %s of %s would", p.ID, p.Run.Window)
	say("  read                %d records, and write %d of the window (%d of other times lie among them)", p.Records(), p.InWindow(), p.Strays())
	if p.Counts.Rows > 0 {
		say("  write to            %d rows", p.Counts.Rows)
	}
	say("  send again behind   %d deletes, so that no deleted row comes back, and %d records of the same time", p.Counts.Deletes, p.Counts.Followers)
	if p.Unmapped > 0 {
		say("  not be able to map  %d records, which are skipped or become dead letters", p.Unmapped)
	}
	tellOldKeys(say, &p.Old)
	switch {
	case len(p.Sample) == 0 && p.More:
		say("of the first rows none would change")
	case len(p.Sample) == 0:
		say("no row would change")
	}
	for i := range p.Sample {
		c := &p.Sample[i]
		say("%s row %s", c.Table, c.Row.String())
		for _, cell := range c.Cells {
			say("  %s %s -> %s", cell.Column, cellText(cell.Was), cellText(cell.Will))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func cellText(b *preview.Bytes) string {
	if b == nil {
		return "nothing"
	}
	return b.String()
}
