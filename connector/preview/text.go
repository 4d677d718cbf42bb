package preview

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Write prints a record for people.
func (r *Record) Write(w io.Writer) error {
	var b strings.Builder
	key := "no key"
	if r.Key != nil {
		key = "key " + r.Key.String()
	}
	fmt.Fprintf(&b, "%s/%d offset %d, %s, %s\n", r.Topic, r.Partition, r.Offset, clock(r.Timestamp), key)
	switch {
	case r.Error != "":
		fmt.Fprintf(&b, "  error (on_error: %s): %s\n", r.OnError, r.Error)
	case len(r.Rows) == 0:
		b.WriteString("  nothing to write\n")
	}
	for i := range r.Rows {
		r.Rows[i].write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Row) write(b *strings.Builder) {
	fmt.Fprintf(b, "  -> %s row \"%s\" (%s)\n", r.Table, r.Key.Text, r.Key.Hex)
	if len(r.Parts) > 1 {
		parts := make([]string, len(r.Parts))
		for i, p := range r.Parts {
			parts[i] = p.Name + " " + Readable([]byte(p.Text))
		}
		fmt.Fprintf(b, "     made of %s\n", strings.Join(parts, ", "))
	}
	if r.Region != "" {
		fmt.Fprintf(b, "     region %s\n", r.Region)
	}
	if r.Deletes != nil {
		fmt.Fprintf(b, "     delete the row's families %s at %d\n", strings.Join(r.emptied(), ", "), r.DeleteTime)
	}
	for i := range r.Cells {
		r.Cells[i].write(b)
	}
	writeMore(b, r.More)
	if r.Mark != nil {
		fmt.Fprintf(b, "     mark %s at %d\n", r.Mark.Column, r.Mark.Timestamp)
	}
}

// emptied names the families that are deleted, each with the visibility of the cells that go.
func (r *Row) emptied() []string {
	out := slices.Clone(r.Deletes)
	for i, visibility := range r.DeleteVisibility {
		if visibility != "" {
			out[i] += " (visibility " + visibility + ")"
		}
	}
	return out
}

func (c *Cell) write(b *strings.Builder) {
	fmt.Fprintf(b, "     %s %s", c.Op, c.Column)
	if c.Value != nil {
		b.WriteString(" " + c.Value.String())
	}
	if c.Delta != nil {
		fmt.Fprintf(b, " by %d", *c.Delta)
	}
	if c.Time != nil {
		fmt.Fprintf(b, " at %d", *c.Time)
	}
	if c.TTL != 0 {
		fmt.Fprintf(b, ", ttl %s", time.Duration(c.TTL)*time.Millisecond)
	}
	if c.Visibility != "" {
		b.WriteString(", visibility " + c.Visibility)
	}
	b.WriteByte('\n')
	writeMore(b, c.More)
}

func writeMore(b *strings.Builder, more map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(more)) {
		fmt.Fprintf(b, "       %s %s\n", name, more[name])
	}
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
