package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"rowmark/connector/audit"
	"rowmark/connector/preview"
)

// printRow prints a row for people.
func printRow(w io.Writer, v *audit.RowView) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s row \"%s\" (%s)\n", v.Table, v.Key.Text, v.Key.Hex)
	for _, k := range v.Made {
		if k.Error != "" {
			fmt.Fprintf(&b, "  of %s: %s\n", k.Topic, k.Error)
		} else {
			fmt.Fprintf(&b, "  of %s, made of %s\n", k.Topic, partsText(k.Parts))
		}
	}
	if len(v.Cells) > 0 {
		b.WriteByte('\n')
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(t, "CELL\tTIME\tBYTES\tVALUE\tWRITTEN BY")
		for _, c := range v.Cells {
			_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", c.Column, c.Time, c.Size, valueText(&c), either(c.Record, "-"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	for i := range v.Marks {
		writeMark(&b, &v.Marks[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shownBytes is how much of a value is printed; JSON has all of it.
const shownBytes = 100

func valueText(c *audit.CellView) string {
	out := c.Value
	if runes := []rune(out); len(runes) > shownBytes {
		out = string(runes[:shownBytes]) + "…"
	}
	if c.Encoding != "" && c.Encoding != "string" {
		return out + " (" + c.Encoding + ")"
	}
	return `"` + out + `"`
}

func partsText(parts []preview.KeyPart) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Name + " " + p.Text
	}
	return strings.Join(texts, ", ")
}

func writeMark(b *strings.Builder, m *audit.MarkView) {
	if m.Retry {
		fmt.Fprintf(b, "\nmark %s: letters below number %d of a retry of dead letters\n", m.Name, m.Next)
		return
	}
	fmt.Fprintf(b, "\nmark %s: records below %d\n", m.Name, m.Next)
	if m.Run != "" {
		fmt.Fprintf(b, "  of the reprocess run %s\n", m.Run)
	}
	if m.Floor > 0 {
		fmt.Fprintf(b, "  the next cell is at %s or later\n", time.UnixMilli(m.Floor).UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	if m.LeaderEpoch >= 0 {
		fmt.Fprintf(b, "  leader epoch %d\n", m.LeaderEpoch)
	}
	if m.Barred != "" {
		fmt.Fprintf(b, "  HBase refused record %d: %s\n", m.Next-1, m.Barred)
	}
	if m.Record != nil {
		writeRecord(b, "  last written by", m.Record)
	}
	if m.Error != "" {
		fmt.Fprintf(b, "  %s\n", m.Error)
	}
}

func writeRecord(b *strings.Builder, what string, r *audit.RecordView) {
	fmt.Fprintf(b, "%s %s/%d/%d of %s", what, r.Topic, r.Partition, r.Offset, r.Time)
	if r.KeyHash != "" {
		fmt.Fprintf(b, ", key SHA-256 %s…", r.KeyHash)
	}
	b.WriteByte('\n')
	if r.Key != nil {
		fmt.Fprintf(b, "    key \"%s\"\n", *r.Key)
	}
	if r.Value != nil {
		fmt.Fprintf(b, "    value \"%s\"\n", *r.Value)
	}
}

// printFate prints what became of a record, for people.
func printFate(w io.Writer, f *audit.Fate) error {
	var b strings.Builder
	writeRecord(&b, "record", f.Record)
	switch {
	case f.Checkpoint < 0:
		b.WriteString("the partition has no checkpoint: nothing of it was written yet\n")
	case f.Record.Offset < f.Checkpoint:
		fmt.Fprintf(&b, "below the checkpoint, which is %d\n", f.Checkpoint)
	default:
		fmt.Fprintf(&b, "not below the checkpoint, which is %d\n", f.Checkpoint)
	}
	switch {
	case f.Error != "":
		fmt.Fprintf(&b, "error (on_error: %s): %s\n", f.OnError, f.Error)
	case len(f.Rows) == 0:
		b.WriteString("nothing to write\n")
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		fmt.Fprintf(&b, "  -> %s row \"%s\" (%s)\n", r.Table, r.Key.Text, r.Key.Hex)
		if len(r.Parts) > 1 {
			fmt.Fprintf(&b, "     made of %s\n", partsText(r.Parts))
		}
		fmt.Fprintf(&b, "     holds it: %s", r.State)
		if r.Why != "" {
			fmt.Fprintf(&b, ", %s", r.Why)
		}
		b.WriteByte('\n')
		for _, c := range r.Cells {
			fmt.Fprintf(&b, "     %s %s: there is %s\n", c.Op, c.Column, c.Now)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
