package audit

import (
	"bytes"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
)

// row is what the records of the range make of one row.
type row struct {
	table *table
	key   []byte
	hash  uint64
	parts []*part // one for each source, in the order in which they were met
}

// part is what one source makes of a row.
type part struct {
	source      *source
	first, last int64 // offsets of its records; those that HBase refused count too
	epoch       int32 // leader epoch of the last one, -1 if not known
	floor       int64 // the least that the row's floor can be, see core.Mark
	columns     []column
	index       map[*mapping.ColumnName]int // of columns, where there are many
	emptied     []emptied
	// vague is why the cells of the row can't be judged; empty: they can.
	vague string
}

// emptied is a delete of a family.
type emptied struct {
	family     []byte
	at         int64 // the least time that it can have
	offset     int64
	visibility string // of what it deletes
}

// partOf finds the source's part of the row, or begins it.
func (r *row) partOf(s *source) *part {
	for _, p := range r.parts {
		if p.source == s {
			return p
		}
	}
	p := &part{source: s, first: none, last: none, epoch: none, floor: s.floor}
	r.parts = append(r.parts, p)
	return p
}

// meet notes a record of the row.
func (p *part) meet(offset int64, epoch int32) {
	if p.first == none {
		p.first = offset
	}
	p.last, p.epoch = offset, epoch
}

// refused passes a record that HBase refused for good: its mark raises the floor all the same.
func (p *part) refused(o *mapping.RowOps) {
	if o.LogOrder {
		p.floor = max(p.floor, o.Time)
	}
}

// fold adds what one mapping makes of a record, at the times at which the core has it take effect.
func (p *part) fold(o *mapping.RowOps, offset int64) {
	settled, floor := core.Settle(p.source.settled[:0], o, p.floor)
	p.source.settled, p.floor = settled, floor
	for i := range settled {
		if d := settled[i].Delete; d != nil {
			for k, family := range d.Families {
				e := emptied{family: family, at: settled[i].Time, offset: offset}
				if d.Visibility != nil {
					e.visibility = d.Visibility[k]
				}
				p.empty(e)
			}
		}
		for k := range settled[i].Cells {
			p.cell(&settled[i].Cells[k], settled[i].Time, offset, o.LogOrder)
		}
	}
}

func (p *part) cell(op *mapping.CellOp, at, offset int64, logOrder bool) {
	c := p.column(op.ColumnName)
	switch op.Kind {
	case mapping.CellIncrement, mapping.CellAppend:
		c.count(op, offset)
	case mapping.CellDeleteColumn:
		c.remove(at, offset)
	default:
		if p.deleted(c) >= at {
			c.doubt = true // in log order a put is newer than the deletes before it
			return
		}
		c.put(op, at, offset)
		c.timed = !logOrder
	}
}

// deleted is the newest time up to which the column was deleted; none: it was not.
func (p *part) deleted(c *column) int64 {
	at := c.deletedAt
	for i := range p.emptied {
		if e := &p.emptied[i]; bytes.Equal(e.family, c.Family) {
			at = max(at, e.at)
		}
	}
	return at
}

func (p *part) empty(e emptied) {
	for i := range p.columns {
		c := &p.columns[i]
		if c.kind == mapping.CellPut && bytes.Equal(c.Family, e.family) && c.at <= e.at && visibilityOf(c.with) == e.visibility {
			c.live = false
			c.offset = e.offset
		}
	}
	for i := range p.emptied {
		if have := &p.emptied[i]; bytes.Equal(have.family, e.family) && have.visibility == e.visibility {
			have.at, have.offset = max(have.at, e.at), e.offset
			return
		}
	}
	p.emptied = append(p.emptied, e)
}

func (p *part) column(name *mapping.ColumnName) *column {
	name = p.source.names.of(name)
	if c := p.find(name); c != nil {
		return c
	}
	p.columns = append(p.columns, column{ColumnName: name, offset: none, deletedAt: none})
	if len(p.columns) >= wide {
		if p.index == nil {
			p.index = map[*mapping.ColumnName]int{}
			for i := range p.columns {
				p.index[p.columns[i].ColumnName] = i
			}
		}
		p.index[name] = len(p.columns) - 1
	}
	return &p.columns[len(p.columns)-1]
}

// wide is the number of columns from which an index beats a walk.
const wide = 24

// find gives the source's column of a name that names gave; nil: its records of the range don't name it.
func (p *part) find(name *mapping.ColumnName) *column {
	if p.index != nil {
		if i, ok := p.index[name]; ok {
			return &p.columns[i]
		}
		return nil
	}
	for i := range p.columns {
		if p.columns[i].ColumnName == name {
			return &p.columns[i]
		}
	}
	return nil
}

// names holds one copy of each column's name.
type names map[string]*mapping.ColumnName

func (n names) of(name *mapping.ColumnName) *mapping.ColumnName {
	key := string(name.Family) + ":" + string(name.Qualifier) // a family holds no colon
	have := n[key]
	if have == nil {
		have = &mapping.ColumnName{Family: bytes.Clone(name.Family), Qualifier: bytes.Clone(name.Qualifier)}
		n[key] = have
	}
	return have
}
