package connector_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Here is how actions look in the histories: one line each, the rows of a write on lines of their own. "a, 2 of [0,3)" is row a with two records, the first
// at offset 0 and the last at 2.

func (w *world) owner(o core.Owner) string {
	if o == (core.Owner{}) {
		return "nobody"
	}
	return string(rune(o[0]))
}

func topicName(id kafka.TopicID) string {
	if id == (kafka.TopicID{}) {
		return "topic unknown"
	}
	return fmt.Sprintf("topic %d", id[0])
}

func (w *world) position(p core.Position) string {
	return fmt.Sprintf("offset %d, epoch %d, owner %s, ceiling %d, beat %d", p.Offset, p.Epoch, w.owner(p.Owner), p.Ceiling, p.Beat)
}

// checkpoint shows the parts that decide something; a zero part is left out.
func (w *world) checkpoint(c *core.Checkpoint) string {
	out := fmt.Sprintf("%s, %s, leader epoch %d up to %d", w.position(c.Position), topicName(c.TopicID), c.LeaderEpoch, c.EpochOffset)
	if c.Newest != 0 {
		out += fmt.Sprintf(", newest %d", c.Newest)
	}
	if c.AdvancedAt != 0 {
		out += fmt.Sprintf(", advanced at %s", time.Duration(c.AdvancedAt-wallStart)*time.Millisecond)
	}
	for _, s := range c.Segments {
		out += fmt.Sprintf(", segment #%d from %d of %s with floor %d", s.Incarnation, s.Start, topicName(s.TopicID), s.Floor)
	}
	for _, v := range c.Witness {
		out += fmt.Sprintf(", witness %s holds %d of %s", v.Row, v.Mark, v.Name)
	}
	return out
}

func columnName(c *hbase.Cell) string { return fmt.Sprintf("%s:%s", c.Family, c.Qualifier) }

// value shows eight bytes as the counter they are.
func value(b []byte) string {
	if len(b) == 8 {
		return fmt.Sprint(int64(binary.BigEndian.Uint64(b)))
	}
	return string(b)
}

func showMark(c *hbase.Cell) string {
	m, err := core.DecodeMark(c.Value)
	if err != nil {
		return err.Error()
	}
	out := fmt.Sprintf("mark %d (floor %d)", m.Next, m.Floor)
	if c.Timestamp != m.Next {
		out += fmt.Sprintf(" at the wrong time %d", c.Timestamp)
	}
	return out
}

func mutation(m *hbase.Mutation, c *hbase.Cell) string {
	switch {
	case m.Kind == hbase.KindPut && string(c.Family) == string(markFamily):
		return showMark(c)
	case m.Kind == hbase.KindIncrement:
		return fmt.Sprintf("increment %s by %s", columnName(c), value(c.Value))
	case m.Kind == hbase.KindAppend:
		return fmt.Sprintf("append %s to %s", value(c.Value), columnName(c))
	case c.Type == hbase.CellDeleteFamily:
		return fmt.Sprintf("delete family %s@%d", c.Family, c.Timestamp)
	case c.Type == hbase.CellDeleteColumn:
		return fmt.Sprintf("delete %s@%d", columnName(c), c.Timestamp)
	default:
		return fmt.Sprintf("put %s=%s@%d", columnName(c), value(c.Value), c.Timestamp)
	}
}

func group(g *core.Group) string {
	out := fmt.Sprintf("%s, %d of [%d,%d),", g.Write.Row, g.Records, g.First, g.Next)
	if c := g.Write.Condition; c != nil {
		out += fmt.Sprintf(" if no mark of %s is at %d or past it", c.Qualifier, c.From)
		if c.Op != hbase.CompareEqual || len(c.Value) > 0 || c.To != 0 || string(c.Family) != string(markFamily) {
			out += fmt.Sprintf(" (an odd condition: %+v)", *c)
		}
	} else {
		out += " without a condition"
	}
	var parts []string
	for i := range g.Write.Mutations {
		m := &g.Write.Mutations[i]
		if m.HasTTL {
			parts = append(parts, fmt.Sprintf("for %d ms", m.TTL))
		}
		for j := range m.Cells {
			cell := m.Cells[j].In(g.Write.Row)
			parts = append(parts, mutation(m, &cell))
		}
	}
	return out + ": " + strings.Join(parts, ", ")
}

var reportNames = [...]string{
	"waiting", "taken", "caught up", "skipped", "dead letter", "row mode", "retry", "mapping", "segment", "finished", "released", "fenced", "failed",
}

func report(r core.Report) string {
	out := fmt.Sprintf("report %s at %d", reportNames[r.Kind], r.Offset)
	if r.Table != "" {
		out += ", table " + r.Table
	}
	if r.Retry {
		out += ", to be tried again"
	}
	if r.Err != nil {
		out += ": " + r.Err.Error()
	}
	return out
}

// show gives an action's lines, the first without its handle.
func (w *world) show(a core.Action) []string {
	switch a := a.(type) {
	case core.ReadCheckpoint:
		return []string{"read checkpoint"}
	case core.SwapCheckpoint:
		expect := "absent"
		if a.Expect != nil {
			p, err := core.DecodePosition(a.Expect)
			if err != nil {
				return []string{err.Error()}
			}
			expect = w.position(p)
		}
		out := []string{"swap, expect " + expect, "  put " + w.checkpoint(&a.Put)}
		if a.Put.Mapping != nil {
			out[1] += fmt.Sprintf(", mapping %s", a.Put.Mapping)
		}
		return out
	case core.ReadLog:
		out := "read log"
		if a.NeedStart {
			out += ", resolve start"
		}
		if a.LeaderEpoch >= 0 {
			out += fmt.Sprintf(", end of leader epoch %d", a.LeaderEpoch)
		}
		return []string{out}
	case core.Fetch:
		out := fmt.Sprintf("fetch at %d, leader epoch %d, until %d, %s", a.At.Offset, a.At.LeaderEpoch, a.Until, topicName(a.At.TopicID))
		if a.Stored != nil {
			out += fmt.Sprintf(", stored mapping %s", a.Stored)
		}
		return []string{out}
	case core.CancelFetch:
		return []string{"cancel fetch"}
	case core.Write:
		out := []string{fmt.Sprintf("write %s %s", a.Table, map[hbase.Mode]string{hbase.ModeRow: "by row", hbase.ModeRegion: "by region", hbase.ModeBatch: "by batch"}[a.Mode])}
		for _, g := range a.Groups {
			out = append(out, "  "+group(g))
		}
		return out
	case core.Look:
		var rows []string
		for _, r := range a.Rows {
			rows = append(rows, fmt.Sprintf("%s for %s", r.Row, r.Name))
		}
		return []string{"look at " + strings.Join(rows, ", ")}
	case *core.CheckWitness:
		return []string{fmt.Sprintf("witness %s must hold %d of %s", a.Row, a.Mark, a.Name)}
	case core.Report:
		return []string{report(a)}
	}
	return []string{fmt.Sprintf("an action that the histories can't show: %T", a)}
}
