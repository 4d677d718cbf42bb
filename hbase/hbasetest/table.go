package hbasetest

import (
	"slices"
	"strings"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// table is one table: its schema, its regions in key order, and its rows. Rows are kept by table and not by region,
// so that a split or move takes none with it.
type table struct {
	schema   hbase.TableSchema
	families map[string]*family
	state    pb.TableState_State
	regions  []*region // those that serve, in key order
	parents  []*region // split or merged ones that hbase:meta still lists
	rows     map[string]row
	keys     []string // of rows, sorted
}

func newTable(schema hbase.TableSchema) (*table, error) {
	t := &table{rows: map[string]row{}}
	return t, t.setSchema(schema)
}

// setSchema takes over a schema. Families that it leaves out lose their cells.
func (t *table) setSchema(schema hbase.TableSchema) error {
	schema = withFamilyDefaults(schema)
	families := map[string]*family{}
	for i := range schema.Families {
		f := &schema.Families[i]
		s, err := f.Settings()
		if err != nil {
			return err
		}
		families[f.Name] = &family{
			name: f.Name, versions: s.Versions, minVersions: s.MinVersions, ttl: int64(s.TTL) * 1000, nvb: s.NewVersionBehavior,
		}
	}
	t.schema, t.families = schema, families
	for _, r := range t.rows {
		for name := range r {
			if families[name] == nil {
				delete(r, name)
			}
		}
	}
	return nil
}

// familyDefaults are the attributes that a master adds to a family that does not name them.
var familyDefaults = map[string]string{
	"BLOOMFILTER": "ROW", "IN_MEMORY": "false", "VERSIONS": "1", "KEEP_DELETED_CELLS": "FALSE", "DATA_BLOCK_ENCODING": "NONE",
	"COMPRESSION": "NONE", "TTL": "2147483647", "MIN_VERSIONS": "0", "BLOCKCACHE": "true", "BLOCKSIZE": "65536", "REPLICATION_SCOPE": "0",
}

func withFamilyDefaults(s hbase.TableSchema) hbase.TableSchema {
	s = s.Clone()
	for i := range s.Families {
		f := &s.Families[i]
		if f.Attributes == nil {
			f.Attributes = map[string]string{}
		}
		for k, v := range familyDefaults {
			if _, ok := f.Attributes[k]; !ok {
				f.Attributes[k] = v
			}
		}
	}
	return s
}

// row gives a row, made if it is not there.
func (t *table) row(key []byte) row {
	r := t.rows[string(key)]
	if r == nil {
		r = row{}
		t.rows[string(key)] = r
		at, _ := slices.BinarySearch(t.keys, string(key))
		t.keys = slices.Insert(t.keys, at, string(key))
	}
	return r
}

func (r row) store(family string) *store {
	s := r[family]
	if s == nil {
		s = &store{}
		r[family] = s
	}
	return s
}

// familyNames lists the families in HBase's order, by bytes.
func (t *table) familyNames() []string {
	out := make([]string, 0, len(t.families))
	for name := range t.families {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// regionOf finds the serving region of a row.
func (t *table) regionOf(key []byte) *region {
	for _, r := range t.regions {
		if r.contains(key) {
			return r
		}
	}
	return nil
}

// compact rewrites the rows of a region, or of one family of it, as a flush or a compaction does.
func (t *table) compact(r *region, only string, major bool, now int64) {
	for _, key := range t.keysOf(r) {
		data := t.rows[key]
		empty := true
		for name, s := range data {
			if only == "" || name == only {
				s.cells = t.families[name].compact(s.cells, major, now)
				for i := range s.cells {
					s.cells[i].unlogged = false // it is in a file now
				}
			}
			empty = empty && len(s.cells) == 0
		}
		if empty {
			delete(t.rows, key)
			at, _ := slices.BinarySearch(t.keys, key)
			t.keys = slices.Delete(t.keys, at, at+1)
		}
	}
}

// loseUnlogged takes away what a server had in memory alone when it died.
func (t *table) loseUnlogged(r *region) {
	for _, key := range t.keysOf(r) {
		for _, s := range t.rows[key] {
			s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return c.unlogged })
		}
	}
}

// keysOf lists the row keys of a region.
func (t *table) keysOf(r *region) []string {
	from, _ := slices.BinarySearch(t.keys, string(r.start))
	to := len(t.keys)
	if len(r.end) > 0 {
		to, _ = slices.BinarySearch(t.keys, string(r.end))
	}
	return slices.Clone(t.keys[from:to])
}

// hasMultiRowMutation says whether MutateRows is served.
func (t *table) hasMultiRowMutation() bool {
	return t.schema.HasCoprocessor(hbase.CoprocessorMultiRowMutation)
}

func (t *table) readOnly() bool { return t.schema.ReadOnly() }

// tableText is a table's name without the default namespace.
func tableText(n *pb.TableName) string {
	ns, q := string(n.GetNamespace()), string(n.GetQualifier())
	if ns == "default" || ns == "" {
		return q
	}
	return ns + ":" + q
}

func tableName(text string) *pb.TableName {
	ns, q, ok := strings.Cut(text, ":")
	if !ok {
		ns, q = "default", text
	}
	return &pb.TableName{Namespace: []byte(ns), Qualifier: []byte(q)}
}
