package audit

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
)

// judgement is of one row: what HBase holds against what each source makes of it.
type judgement struct {
	*Verify
	row  *row
	have []hbase.Cell
	now  int64 // milliseconds

	views    []view
	outcomes []outcome // of the row's parts
	others   bool      // another source than those of the parts marked the row, or one whose records are missing
	retried  bool      // a retry of dead letters did
}

// view is a part beside what its mark says.
type view struct {
	*part
	outcome *outcome
	mark    core.Mark
	past    bool  // records past the range are in the row, or may be
	missing bool  // its records are not in the row, so that nothing is to be said of its cells
	newest  int64 // no cell of the source can be newer, milliseconds
}

// outcome is what was found of a part.
type outcome struct {
	findings []Finding
	open     []string // what could not be judged, and why
	excused  []string
}

func (o *outcome) worst() Kind {
	for _, k := range kinds {
		if slices.ContainsFunc(o.findings, func(f Finding) bool { return f.Kind == k }) {
			return k
		}
	}
	return ""
}

func (o *outcome) leave(reason string) {
	if !slices.Contains(o.open, reason) {
		o.open = append(o.open, reason)
	}
}

// suspect says that something was found.
func (j *judgement) suspect() bool {
	return slices.ContainsFunc(j.outcomes, func(o outcome) bool { return len(o.findings) > 0 })
}

func (j *judgement) run() {
	j.outcomes = make([]outcome, len(j.row.parts))
	j.views = make([]view, len(j.row.parts))
	marks := j.marks()
	for i, p := range j.row.parts {
		j.views[i] = view{part: p, outcome: &j.outcomes[i], newest: math.MaxInt64}
		j.mark(&j.views[i], marks)
	}
	if vague := j.vague(); vague != "" {
		for i := range j.outcomes {
			j.outcomes[i].leave(vague)
		}
		return
	}
	if len(j.row.table.families) > 0 {
		j.cells()
	}
}

func (j *judgement) vague() string {
	for _, p := range j.row.parts {
		if p.vague != "" {
			return p.vague
		}
	}
	return ""
}

// marks gives the mark cells of the parts, and notes whose others there are.
func (j *judgement) marks() map[*part]*hbase.Cell {
	out := map[*part]*hbase.Cell{}
	for i := range j.have {
		c := &j.have[i]
		if string(c.Family) != j.MarkFamily {
			continue
		}
		k := slices.IndexFunc(j.row.parts, func(p *part) bool { return p.source.name == string(c.Qualifier) })
		if k >= 0 {
			out[j.row.parts[k]] = c
			continue
		}
		j.others = true
		j.retried = j.retried || strings.HasPrefix(string(c.Qualifier), deadletter.RetrySource(j.Sink))
	}
	return out
}

// Reasons why something is not judged.
const (
	openRetried  = "a retry of dead letters wrote the row"
	openExpired  = "marks expire (marks.ttl)"
	openPast     = "the row has records past the range"
	openFloor    = "how late the row was before the range is not known"
	openOthers   = "another source writes the row"
	openDeletes  = "another source may have deleted the column"
	openTimes    = "a put is older than a delete, and the mapping has order: time"
	openRange    = "counters and lists are judged from the beginning of the log only"
	openCounted  = "counters and lists are judged only where no record past the range counted"
	openSources  = "counters and lists that several sources write"
	openLives    = "counters and lists that expire"
	openLabelled = "cells with a visibility may be there and not be shown"
	openRefused  = "HBase refused the last record of the row for good"
)

// mark judges a part's mark.
func (j *judgement) mark(v *view, marks map[*part]*hbase.Cell) {
	cell := marks[v.part]
	switch {
	case cell == nil && v.last == none: // only letters stand for its records
		v.missing = true
		return
	case cell == nil && j.MarksTTL > 0:
		v.past = true
		v.outcome.leave(openExpired)
		return
	case cell == nil:
		j.absent(v, "the row has no mark of this source")
		return
	}
	var err error
	if v.mark, err = core.ReadMark(cell); err != nil {
		v.missing, j.others = true, true
		j.find(v, Unexplained, nil, v.last, err.Error())
		return
	}
	v.newest = max(v.mark.Floor, v.floor)
	next := v.mark.Next
	switch {
	case next <= v.last:
		j.absent(v, fmt.Sprintf("the row's mark is %d, so that records from there on are not in it", next))
	case v.epoch >= 0 && v.mark.LeaderEpoch >= 0 && v.epoch > v.mark.LeaderEpoch:
		j.absent(v, fmt.Sprintf("the row's mark is of leader epoch %d, and the record of epoch %d: it took the offset of one that an election cut off", v.mark.LeaderEpoch, v.epoch))
	case next > v.source.ck.Ceiling:
		j.find(v, Doubled, nil, v.last, fmt.Sprintf("the row's mark is %d, and no record from %d on was ever sent", next, v.source.ck.Ceiling))
	case next > v.last+1 && next <= v.source.to && v.vague == "" && !v.source.compacted:
		j.find(v, Unexplained, nil, next-1, fmt.Sprintf("the row's mark says that record %d wrote it, which this mapping does not take to the row: another mapping was in force, or another program writes marks", next-1))
	}
	v.past = next > v.last+1
}

// absent notes that a part's records are not in the row.
func (j *judgement) absent(v *view, why string) {
	v.missing = true
	if j.retried {
		v.outcome.leave(openRetried)
	} else {
		j.find(v, Lost, nil, v.last, why)
	}
	j.others = true
}

func (j *judgement) find(v *view, k Kind, name *mapping.ColumnName, offset int64, why string) *Finding {
	f := Finding{
		Kind: k, Topic: v.source.Topic, Partition: v.source.Partition, Offset: offset, Table: j.row.table.name,
		Row: hex.EncodeToString(j.row.key), Why: why, part: v.part, key: j.row.key, name: name,
	}
	if name != nil {
		f.Column = preview.Readable(name.Family) + ":" + preview.Readable(name.Qualifier)
		if cell := j.cell(name); cell != nil && j.Values {
			text := preview.Readable(cell.Value)
			f.Have = &text
		}
	}
	v.outcome.findings = append(v.outcome.findings, f)
	return &v.outcome.findings[len(v.outcome.findings)-1]
}

// cell is what the row holds in a column; nil: nothing.
func (j *judgement) cell(name *mapping.ColumnName) *hbase.Cell {
	for i := range j.have {
		if c := &j.have[i]; bytes.Equal(c.Qualifier, name.Qualifier) && bytes.Equal(c.Family, name.Family) {
			return c
		}
	}
	return nil
}
