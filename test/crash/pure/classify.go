package pure

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// classify names the effect of an action: its type, and what it is for.
func (p *process) classify(a core.Action) string {
	switch a := a.(type) {
	case core.ReadCheckpoint:
		switch s := p.parts[a.Partition]; {
		case s.unsettled:
			return "ReadCheckpoint/settling"
		case s.foreign:
			return "ReadCheckpoint/waiting"
		}
		return "ReadCheckpoint/first"
	case core.SwapCheckpoint:
		return "SwapCheckpoint/" + p.swapPart(&a)
	case core.ReadLog:
		switch {
		case a.NeedStart:
			return "ReadLog/start"
		case p.parts[a.Partition].logs > 0:
			return "ReadLog/again"
		}
		return "ReadLog/resume"
	case core.Fetch:
		if a.Stored != nil {
			return "Fetch/stored"
		}
		return "Fetch/current"
	case core.CancelFetch:
		if p.parts[a.Partition].halted {
			return "CancelFetch/pause"
		}
		return "CancelFetch/drain"
	case core.Write:
		return "Write/" + p.writePart(&a)
	case core.Look:
		switch last, ok := p.last[a.Rows[0].Name+" "+a.Rows[0].Table+" "+string(a.Rows[0].Row)]; {
		case !ok || last.Outcome == hbase.Applied:
			return "Look/floor"
		case last.Outcome == hbase.Unknown:
			return "Look/unknown"
		}
		return "Look/refused"
	case *core.CheckWitness:
		if p.parts[partitionOf(a.Name)].fetched {
			return "CheckWitness/running"
		}
		return "CheckWitness/start"
	case core.Report:
		return p.w.reg.Report(int64(a.Kind))
	default:
		name := fmt.Sprintf("%T", a)
		p.w.fail("the core asked for an action of unknown type %s", name)
		return name
	}
}

func (p *process) swapPart(a *core.SwapCheckpoint) string {
	if a.Expect == nil {
		return "create"
	}
	old, err := core.DecodePosition(a.Expect)
	if err != nil {
		p.w.fail("expecting a checkpoint that is none: %v", err)
		return "beat"
	}
	stored := p.w.store.checkpoints[a.Partition]
	switch {
	case a.Put.Epoch > old.Epoch:
		return "take"
	case a.Put.Owner == core.Owner{}:
		return "release"
	case stored != nil && len(a.Put.Segments) > len(stored.Segments):
		return "segment"
	case a.Put.Mapping != nil:
		return "adopt"
	case a.Put.Offset > old.Offset && !p.parts[a.Partition].fetched:
		return "hole"
	case a.Put.Offset > old.Offset:
		return "advance"
	case a.Put.Ceiling > old.Ceiling:
		return "ceiling"
	case stored != nil && a.Put.Newest > stored.Newest:
		return "newest"
	}
	return "beat"
}

func (p *process) writePart(a *core.Write) string {
	if a.Table == tableLetters {
		return "letter"
	}
	for _, g := range a.Groups {
		if onlyMark(&g.Write) {
			return "fence"
		}
	}
	switch {
	case a.Mode == hbase.ModeRegion:
		return "region"
	case p.w.s.Mode == hbase.ModeRegion && !p.rows[a.Table]:
		return "solo"
	}
	return "row"
}

func onlyMark(w *hbase.RowWrite) bool {
	for i := range w.Mutations {
		for k := range w.Mutations[i].Cells {
			if !bytes.Equal(w.Mutations[i].Cells[k].Family, []byte(famMark)) {
				return false
			}
		}
	}
	return true
}

// partitionOf reads the partition in a source name, s/t/0 or s/t/0#1.
func partitionOf(source string) int32 {
	_, text, _ := strings.Cut(source, "/t/")
	text, _, _ = strings.Cut(text, "#")
	n, _ := strconv.ParseInt(text, 10, 32) // names are made by the core: a wrong one shows in the marks
	return int32(n)
}
