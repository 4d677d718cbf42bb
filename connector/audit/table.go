package audit

import (
	"context"
	"fmt"
	"slices"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// table is what the judge knows of a table.
type table struct {
	name     string
	families []hbase.Column   // that hold data; none for dead letters, of which only the marks are looked at
	ttls     map[string]int64 // of families, milliseconds; those that keep cells for ever are not in it
	counting bool             // some column is incremented or appended to
	deletes  bool
	timed    bool // some mapping has order: time
}

// table gives what is known of a table before it was read.
func (v *Verify) table(name string) *table {
	t := v.tables[name]
	if t == nil {
		t = &table{name: name}
		v.tables[name] = t
		for _, s := range v.sources {
			for _, m := range s.set.DataTables() {
				if m.Name == name {
					t.add(&m)
				}
			}
		}
	}
	return t
}

func (t *table) add(m *mapping.Table) {
	for _, f := range m.Families {
		if !slices.ContainsFunc(t.families, func(c hbase.Column) bool { return string(c.Family) == f }) {
			t.families = append(t.families, hbase.Column{Family: []byte(f)})
		}
	}
	t.counting = t.counting || m.Counting
	t.deletes = t.deletes || m.Deletes
	t.timed = t.timed || m.TimeOrder
}

// describe asks HBase how long the families keep their cells.
func (v *Verify) describe(ctx context.Context, t *table) error {
	if t.ttls != nil {
		return nil
	}
	ctx, cancel := v.call(ctx)
	defer cancel()
	schema, err := v.HBase.Admin().DescribeTable(ctx, t.name)
	if err != nil {
		return fmt.Errorf("describing table %s: %w", t.name, err)
	}
	t.ttls = map[string]int64{}
	for i := range schema.Families {
		settings, err := schema.Families[i].Settings()
		if err != nil {
			return fmt.Errorf("reading the settings of family %s of table %s: %w", schema.Families[i].Name, t.name, err)
		}
		if settings.TTL > 0 {
			t.ttls[schema.Families[i].Name] = int64(settings.TTL) * 1000
		}
	}
	return nil
}

// holdsData says whether the mappings write to a family.
func (t *table) holdsData(family []byte) bool {
	return slices.ContainsFunc(t.families, func(c hbase.Column) bool { return string(c.Family) == string(family) })
}
