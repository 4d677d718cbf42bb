package reprocess

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// crossed is what can be deleted in a table by a record of another partition than the one that put it.
type crossed struct {
	deletes bool
	keys    bool // rows are named by more than the records' keys
	topics  map[string]bool
	parts   map[kafka.TopicPartition]bool
}

func (c *crossed) why() string {
	switch {
	case !c.deletes || len(c.parts) < 2:
		return ""
	case len(c.topics) > 1:
		return "topics " + strings.Join(slices.Sorted(maps.Keys(c.topics)), ", ") + " write to it"
	case c.keys:
		return "its row keys are not made of the records' whole keys alone"
	}
	return ""
}

// crossing refuses tables in which a record of one partition may delete what one of another put: followers are known within a
// partition alone, so that a run can't send such a delete again, and after a major compaction has dropped it nothing hides
// what the run puts.
func (p *planner) crossing(tps []kafka.TopicPartition) error {
	sets := map[string]*mapping.Set{p.set.Hash(): p.set}
	if p.req.Old != nil {
		sets[p.req.Old.Hash()] = p.req.Old
	}
	for _, tp := range tps {
		ck := p.live[tp]
		if err := p.compile(tp, ck); err != nil {
			return err
		}
		sets[ck.MappingHash] = p.sets[ck.MappingHash]
	}
	tables := map[string]*crossed{}
	for _, set := range sets {
		p.crossings(tables, set, tps)
	}
	var bad []string
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if why := tables[name].why(); why != "" {
			bad = append(bad, fmt.Sprintf("table %s (%s)", name, why))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	text := "a record of one partition can delete what one of another put in " + strings.Join(bad, ", ") + ": where the window's row was deleted so, and a major compaction has dropped the delete, the run brings the row or column back"
	if !p.req.Force {
		return refuse("%s; --force goes on, and --reprocess-into writes to another table", text)
	}
	p.note("%s (--force)", text)
	return nil
}

// crossings adds what a mapping does in the tables that the run shares with the live connector.
func (p *planner) crossings(tables map[string]*crossed, set *mapping.Set, tps []kafka.TopicPartition) {
	own := map[string]bool{}
	for old, table := range p.req.Into {
		own[old], own[table] = true, true
	}
	of := func(name string) *crossed {
		if tables[name] == nil {
			tables[name] = &crossed{topics: map[string]bool{}, parts: map[kafka.TopicPartition]bool{}}
		}
		return tables[name]
	}
	for _, tp := range tps {
		for _, name := range set.TablesOf(tp.Topic) {
			c := of(name)
			c.topics[tp.Topic], c.parts[tp] = true, true
		}
	}
	for _, t := range set.DataTables() {
		if !own[t.Name] {
			c := of(t.Name)
			c.deletes, c.keys = c.deletes || t.Deletes, c.keys || !set.ByKeyAlone(t.Name)
		}
	}
}
