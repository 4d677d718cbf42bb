package core

import (
	"slices"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// plain says that a mutation's attributes are those of any cell, so that the mark may go with it.
func plain(m *hbase.Mutation) bool { return !m.HasTTL && m.Visibility == "" }

// attributed collects what differs between the cells of the group: attributes belong to a whole mutation, so that cells
// of different ones go in mutations of their own.
func (f *folder) attributed() {
	f.withs, f.labels = f.withs[:0], f.labels[:0]
	for i := range f.columns {
		c := &f.columns[i]
		if c.live && c.with != nil && !slices.ContainsFunc(f.withs, c.of) {
			f.withs = append(f.withs, c.with)
		}
		if c.deleted {
			f.label(c.deletedOf)
		}
	}
	for i := range f.families {
		f.label(f.families[i].of)
	}
}

func (f *folder) label(visibility string) {
	if visibility != "" && !slices.Contains(f.labels, visibility) {
		f.labels = append(f.labels, visibility)
	}
}

// of says whether the column's live cell has these attributes.
func (c *column) of(with *mapping.Attributes) bool {
	return c.with == with || c.with != nil && with != nil && *c.with == *with
}

func visibility(with *mapping.Attributes) string {
	if with == nil {
		return ""
	}
	return with.Visibility
}

// deletes adds the group's deletes of cells of one visibility.
func (f *folder) deletes(out []hbase.Mutation, of string) []hbase.Mutation {
	cells := f.cells.Open(len(f.families) + len(f.columns))
	for _, d := range f.families {
		if d.of == of {
			cells = append(cells, hbase.MutationCell{Column: &hbase.Column{Family: d.family}, Timestamp: d.at, Type: hbase.CellDeleteFamily})
		}
	}
	for i := range f.columns {
		if c := &f.columns[i]; c.deleted && c.deletedOf == of {
			cells = append(cells, hbase.MutationCell{Column: (*hbase.Column)(c.ColumnName), Timestamp: c.deletedAt, Type: hbase.CellDeleteColumn})
		}
	}
	if len(cells) == 0 {
		return out
	}
	return append(out, hbase.Mutation{Kind: hbase.KindDelete, Cells: f.cells.Give(cells), Visibility: of})
}

// written adds the group's live cells of the same attributes, a mutation for each kind.
func (f *folder) written(out []hbase.Mutation, with *mapping.Attributes) []hbase.Mutation {
	var live [mapping.CellDeleteColumn]int
	for i := range f.columns {
		if c := &f.columns[i]; c.live && c.of(with) {
			live[c.kind]++
		}
	}
	for _, kind := range [...]mapping.CellKind{mapping.CellPut, mapping.CellIncrement, mapping.CellAppend} {
		if live[kind] == 0 {
			continue
		}
		m := hbase.Mutation{Kind: mutationKind(kind), Cells: f.live(kind, with, live[kind]), Visibility: visibility(with)}
		if with != nil && with.TTL > 0 {
			m.TTL, m.HasTTL = with.TTL, true
		}
		out = append(out, m)
	}
	return out
}
