package hbase

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// TableSchema describes a table as the master knows it. Attributes that this package has no use for are kept as they
// are, so that a schema read by DescribeTable can be changed and sent back whole.
type TableSchema struct {
	// Name is the table's, with its namespace before a colon unless that is "default".
	Name     string
	Families []FamilySchema
	// Attributes are texts by upper-case key, such as DURABILITY, and coprocessors (see Coprocessors).
	Attributes map[string]string
	// Configuration overrides settings of hbase-site.xml for this table.
	Configuration map[string]string
}

// FamilySchema describes a column family. Attributes not named take the server's default.
type FamilySchema struct {
	Name          string
	Attributes    map[string]string // see FamilySettings for those with a meaning here
	Configuration map[string]string
}

// Family returns the family of that name, nil if there is none. It may be changed in place.
func (t *TableSchema) Family(name string) *FamilySchema {
	for i := range t.Families {
		if t.Families[i].Name == name {
			return &t.Families[i]
		}
	}
	return nil
}

// Clone returns a copy that shares nothing.
func (t *TableSchema) Clone() TableSchema {
	c := TableSchema{Name: t.Name, Attributes: maps.Clone(t.Attributes), Configuration: maps.Clone(t.Configuration)}
	for _, f := range t.Families {
		f.Attributes, f.Configuration = maps.Clone(f.Attributes), maps.Clone(f.Configuration)
		c.Families = append(c.Families, f)
	}
	return c
}

// Durability is the table's WAL setting; a table that names none uses SYNC_WAL.
func (t *TableSchema) Durability() string {
	if d := t.Attributes["DURABILITY"]; d != "" && d != "USE_DEFAULT" {
		return d
	}
	return "SYNC_WAL"
}

// ReadOnly says whether the table refuses writes.
func (t *TableSchema) ReadOnly() bool { return strings.EqualFold(t.Attributes["READONLY"], "true") }

// Validate checks names and the settings of all families, which servers do late or with poor words.
func (t *TableSchema) Validate() error {
	if err := validateTableName(t.Name); err != nil {
		return err
	}
	if len(t.Families) == 0 {
		return fmt.Errorf("checking the schema of table %s: it has no column family", t.Name)
	}
	for i, f := range t.Families {
		if err := validateFamilyName(f.Name); err != nil {
			return fmt.Errorf("checking the schema of table %s: %w", t.Name, err)
		}
		if t.Family(f.Name) != &t.Families[i] {
			return fmt.Errorf("checking the schema of table %s: family %s is named twice", t.Name, f.Name)
		}
		if _, err := f.Settings(); err != nil {
			return fmt.Errorf("checking the schema of table %s: %w", t.Name, err)
		}
	}
	return nil
}

// splitTableText parts a table's name into namespace and qualifier.
func splitTableText(name string) (namespace, qualifier string) {
	if ns, q, ok := strings.Cut(name, ":"); ok {
		return ns, q
	}
	return "default", name
}

func validateTableName(name string) error {
	ns, q := splitTableText(name)
	bad := func(why string) error { return fmt.Errorf("checking table name %q: %s", name, why) }
	if strings.ContainsFunc(ns, func(r rune) bool { return r != '_' && !isWordRune(r) }) || ns == "" {
		return bad("a namespace is made of letters, digits and _")
	}
	if strings.ContainsFunc(q, func(r rune) bool { return r != '_' && r != '-' && r != '.' && !isWordRune(r) }) || q == "" {
		return bad("a table is named by letters, digits, _, - and .")
	}
	if q[0] == '-' || q[0] == '.' {
		return bad("it may not begin with - or .")
	}
	if ns == "zookeeper" || q == "zookeeper" {
		return bad("zookeeper is reserved")
	}
	return nil
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func validateFamilyName(name string) error {
	bad := func(why string) error { return fmt.Errorf("checking family name %q: %s", name, why) }
	switch {
	case name == "" || len(name) > 127:
		return bad("it has 1 to 127 bytes")
	case name[0] == '.' || name == "recovered.edits":
		return bad("this name is reserved for HBase's own folders")
	case !utf8.ValidString(name) || strings.ContainsAny(name, `:/\`) || strings.ContainsFunc(name, unicode.IsControl):
		return bad(`it may not hold : / \ or control characters`)
	}
	return nil
}

// validateSplits checks what HBase 2.6.4 does not: with a key named twice it leaves the table ENABLING for ever.
func validateSplits(table string, keys [][]byte) error {
	for i, k := range keys {
		if len(k) == 0 {
			return fmt.Errorf("checking the split keys of table %s: key %d is empty", table, i)
		}
		if i > 0 && bytes.Compare(keys[i-1], k) >= 0 {
			return fmt.Errorf("checking the split keys of table %s: key %d (%x) is not above the one before it", table, i, k)
		}
	}
	return nil
}

func (t *TableSchema) proto() *pb.TableSchema {
	m := &pb.TableSchema{
		TableName:     tableName(t.Name),
		Attributes:    attributesProto(t.Attributes),
		Configuration: configurationProto(t.Configuration),
	}
	for _, f := range t.Families {
		m.ColumnFamilies = append(m.ColumnFamilies, &pb.ColumnFamilySchema{
			Name:          []byte(f.Name),
			Attributes:    attributesProto(f.Attributes),
			Configuration: configurationProto(f.Configuration),
		})
	}
	return m
}

func tableSchemaOf(m *pb.TableSchema) (TableSchema, error) {
	if m.GetTableName() == nil {
		return TableSchema{}, errors.New("reading a table's schema: it has no table name")
	}
	t := TableSchema{
		Name:          tableText(m.GetTableName()),
		Attributes:    attributesOf(m.GetAttributes()),
		Configuration: configurationOf(m.GetConfiguration()),
	}
	for _, f := range m.GetColumnFamilies() {
		t.Families = append(t.Families, FamilySchema{
			Name:          string(f.GetName()),
			Attributes:    attributesOf(f.GetAttributes()),
			Configuration: configurationOf(f.GetConfiguration()),
		})
	}
	return t, nil
}

// Keys go out sorted, so that one schema is always the same bytes.
func attributesProto(m map[string]string) []*pb.BytesBytesPair {
	var out []*pb.BytesBytesPair
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, &pb.BytesBytesPair{First: []byte(k), Second: []byte(m[k])})
	}
	return out
}

func attributesOf(pairs []*pb.BytesBytesPair) map[string]string {
	m := make(map[string]string, len(pairs))
	for _, p := range pairs {
		m[string(p.GetFirst())] = string(p.GetSecond())
	}
	return m
}

func configurationProto(m map[string]string) []*pb.NameStringPair {
	var out []*pb.NameStringPair
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, &pb.NameStringPair{Name: proto.String(k), Value: proto.String(m[k])})
	}
	return out
}

func configurationOf(pairs []*pb.NameStringPair) map[string]string {
	m := make(map[string]string, len(pairs))
	for _, p := range pairs {
		m[p.GetName()] = p.GetValue()
	}
	return m
}
