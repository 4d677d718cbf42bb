package hbasetest

import (
	"fmt"
	"maps"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// Dump gives every visible version of every cell of a table, in HBase's order: what a scan of all versions shows.
// It reads past regions and servers, so it also works while none serves.
func (c *Cluster) Dump(name string) ([]hbase.Row, error) {
	return c.dump(name, func(t *table, key string, now int64) []hbase.Cell {
		return t.readRow([]byte(key), want{to: endOfTime, versions: 1 << 30}, now)
	})
}

// DumpRaw gives also delete markers and what they hide, as far as it is still stored.
func (c *Cluster) DumpRaw(name string) ([]hbase.Row, error) {
	return c.dump(name, func(t *table, key string, _ int64) []hbase.Cell {
		var out []hbase.Cell
		for _, name := range t.familyNames() {
			if s := t.rows[key][name]; s != nil {
				for i := range s.cells {
					out = append(out, s.cells[i].wire([]byte(key), name))
				}
			}
		}
		return out
	})
}

func (c *Cluster) dump(name string, read func(*table, string, int64) []hbase.Cell) ([]hbase.Row, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[name]
	if t == nil {
		return nil, fmt.Errorf("dumping table %s: there is no such table", name)
	}
	var out []hbase.Row
	for _, key := range t.keys {
		now := c.now(c.master)
		if r := t.regionOf([]byte(key)); r != nil {
			now = c.clockOf(r)
		}
		if cells := read(t, key, now); len(cells) > 0 {
			out = append(out, hbase.Row{Row: []byte(key), Cells: cells})
		}
	}
	return out, nil
}

// Snapshot is a copy of a table as it was.
type Snapshot struct {
	table  string
	schema hbase.TableSchema
	rows   map[string]row
	keys   []string
	splits [][]byte
}

// Snapshot copies a table.
func (c *Cluster) Snapshot(name string) (*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[name]
	if t == nil {
		return nil, fmt.Errorf("taking a snapshot of table %s: there is no such table", name)
	}
	s := &Snapshot{table: name, schema: t.schema.Clone(), rows: maps.Clone(t.rows), keys: append([]string(nil), t.keys...)}
	for k, r := range s.rows {
		s.rows[k] = r.clone()
	}
	for _, r := range t.regions[1:] {
		s.splits = append(s.splits, r.start)
	}
	return s, nil
}

// Restore puts a table, which must be disabled, back to what it was when the snapshot was taken.
func (c *Cluster) Restore(s *Snapshot) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[s.table]
	if t == nil || t.state != pb.TableState_DISABLED {
		return fmt.Errorf("restoring table %s: it is not there, or not disabled", s.table)
	}
	t.rows, t.keys = maps.Clone(s.rows), append([]string(nil), s.keys...)
	for k, r := range t.rows {
		t.rows[k] = r.clone()
	}
	if err := t.setSchema(s.schema); err != nil {
		return fmt.Errorf("restoring table %s: %w", s.table, err)
	}
	c.layOut(t, s.splits)
	return nil
}
