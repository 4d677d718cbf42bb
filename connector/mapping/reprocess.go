package mapping

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// Ages bounds how far the times of a topic's rows may lie from those of its records, in milliseconds.
type Ages struct {
	Future int64
	Past   int64 // -1: there is no bound
}

// Ages gives the bounds that the mappings of a topic set. Rows that carry the record's own time are no older and no newer.
func (s *Set) Ages(topic string) Ages {
	var out Ages
	for _, r := range s.plan(topic).rules {
		if r.time == nil {
			continue
		}
		out.Future = max(out.Future, r.maxFuture)
		if r.maxPast == 0 {
			out.Past = -1
		}
		if out.Past >= 0 {
			out.Past = max(out.Past, r.maxPast)
		}
	}
	return out
}

// Sum is a column that a mapping adds to, so that a record counts again each time it is written.
type Sum struct{ Table, Column, Op string }

// Sums gives them all, in the order of the mappings.
func (s *Set) Sums() []Sum {
	var out []Sum
	for _, r := range s.rules {
		for i := range r.columns {
			if c := &r.columns[i]; c.counts() {
				out = append(out, Sum{Table: r.spec.Table, Column: c.String(), Op: r.spec.Columns[c.at].Op})
			}
		}
	}
	return out
}

// DataTables are those of Tables without the one of dead letters.
func (s *Set) DataTables() []Table {
	return slices.DeleteFunc(s.Tables(), func(t Table) bool { return t.Name == s.letters })
}

// Into gives these mappings with other tables to write to, by the names of theirs. A table that the record or the topic
// names can't be replaced, and none may be taken that a mapping writes to.
func (s *Set) Into(tables map[string]string, schemas decode.Schemas) (*Set, error) {
	var form canonicalForm
	if err := json.Unmarshal(s.canonical, &form); err != nil {
		return nil, fmt.Errorf("reading the mappings: %w", err) // it is our own text
	}
	found := map[string]bool{}
	for i := range form.Tables {
		spec := &form.Tables[i]
		if name := tables[spec.Table]; name != "" {
			found[spec.Table] = true
			spec.Table = name
		}
	}
	for old, name := range tables {
		if !found[old] {
			return nil, fmt.Errorf("no mapping writes to a table that is named %s; they write to %s", old, strings.Join(s.tableNames(), ", "))
		}
		if slices.ContainsFunc(s.Tables(), func(t Table) bool { return t.Name == name }) {
			return nil, fmt.Errorf("table %s is one that the mappings write to already; name another", name)
		}
	}
	text, err := json.Marshal(form)
	if err != nil {
		return nil, fmt.Errorf("writing the mappings: %w", err)
	}
	return CompileCanonical(text, schemas)
}

func (s *Set) tableNames() []string {
	var out []string
	for _, t := range s.DataTables() {
		out = append(out, t.Name)
	}
	return out
}

// WritesOnly says that the mappings write to no other data tables than these.
func (s *Set) WritesOnly(tables map[string]bool) bool {
	return !slices.ContainsFunc(s.rules, func(r *rule) bool { return r.route != nil || !tables[r.spec.Table] })
}

// Puts gives the families of a table that hold what the mappings put, and no sums and lists: those that a row delete may empty.
func (s *Set) Puts(table string) [][]byte {
	counted, found := map[string]bool{}, map[string]bool{}
	for _, r := range s.rules {
		if !r.mayWrite(table) {
			continue
		}
		for i := range r.columns {
			family := string(r.columns[i].Family)
			counted[family] = counted[family] || r.columns[i].counts()
			found[family] = true
		}
	}
	var out [][]byte
	for _, family := range slices.Sorted(maps.Keys(found)) {
		if !counted[family] {
			out = append(out, []byte(family))
		}
	}
	return out
}

// ByKeyAlone says that the rows of a table are named by whole fields of the records' keys, and by nothing else that two records
// of one key may differ in: such records lie in one partition.
func (s *Set) ByKeyAlone(table string) bool {
	return !slices.ContainsFunc(s.rules, func(r *rule) bool {
		return r.mayWrite(table) && slices.ContainsFunc(r.spec.RowKey, func(p rowkey.Part) bool {
			return p.Substring != nil || p.Field != "" && strays(p.Field) || slices.ContainsFunc(p.Of, strays)
		})
	})
}

// strays says that a field may be the same in records of different keys, and so of different partitions.
func strays(field string) bool {
	ref, err := rowkey.ParseRef(field)
	return err != nil || ref.Root != rowkey.RootKey && ref.Root != rowkey.RootTopic && ref.Root != rowkey.RootPartition
}

// keySpec is what decides which rows a mapping makes of a record.
type keySpec struct {
	Topics     []string
	Table      string
	Tables     []string
	Key, Value Format
	Filter     string
	RowKey     rowkey.Spec
}

// SameKeys says that both make the same row keys in the same tables of all records that they map, whatever columns they write.
func (s *Set) SameKeys(o *Set) bool {
	return bytes.Equal(s.keys(), o.keys())
}

func (s *Set) keys() []byte {
	var out []keySpec
	for _, r := range s.rules {
		p := &r.spec
		out = append(out, keySpec{p.Topics, p.Table, p.Tables, p.Key, p.Value, p.Filter, p.RowKey})
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(fmt.Sprintf("writing a mapping's keys: %v", err)) // strings and numbers only: can't be
	}
	return text
}
