package hbase

import (
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"rowmark/hbase/pb"
)

func TestSchemaTableNames(t *testing.T) {
	for _, good := range []string{"t", "shop:orders", "a-b.c_d", "_x", "ns1:t-1", "äpfel"} {
		if err := validateTableName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", ":t", "ns:", "a b", "-t", ".t", "n-s:t", "a:b:c", "t/u", "zookeeper", "zookeeper:t", "x:zookeeper"} {
		if err := validateTableName(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestSchemaFamilyNames(t *testing.T) {
	for _, good := range []string{"d", "_k", "a b", strings.Repeat("f", 127)} {
		if err := validateFamilyName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "a:b", "a/b", `a\b`, "a\n", ".hidden", "recovered.edits", strings.Repeat("f", 128), "\xff"} {
		if err := validateFamilyName(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestSchemaSplitKeys(t *testing.T) {
	key := func(s ...string) (k [][]byte) {
		for _, s := range s {
			k = append(k, []byte(s))
		}
		return k
	}
	for _, good := range [][][]byte{nil, key("a"), key("a", "b"), key("a", "a\x00", "\xff")} {
		if err := validateSplits("t", good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range [][][]byte{key(""), key("a", "a"), key("b", "a"), key("a", "")} {
		if err := validateSplits("t", bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestSchemaValidate(t *testing.T) {
	good := TableSchema{Name: "t", Families: []FamilySchema{{Name: "d"}, {Name: "_k"}}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for want, bad := range map[string]TableSchema{
		"no column family": {Name: "t"},
		"named twice":      {Name: "t", Families: []FamilySchema{{Name: "d"}, {Name: "d"}}},
		"VERSIONS":         {Name: "t", Families: []FamilySchema{{Name: "d", Attributes: map[string]string{"VERSIONS": "0"}}}},
		"TTL":              {Name: "t", Families: []FamilySchema{{Name: "d", Attributes: map[string]string{"TTL": "a day"}}}},
	} {
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error that names %s", bad, err, want)
		}
	}
}

func TestSchemaDefaults(t *testing.T) {
	s, err := ParseFamilySettings(nil)
	want := FamilySettings{Versions: 1, KeepDeletedCells: "FALSE", BloomFilter: "ROW", DataBlockEncoding: "NONE", Compression: "NONE"}
	if err != nil || s != want {
		t.Errorf("settings of no attributes = %+v, %v; want %+v", s, err, want)
	}
	if s, err := ParseFamilySettings(map[string]string{"TTL": "2147483647"}); err != nil || s.TTL != 0 {
		t.Errorf("the longest TTL reads as %d, %v; want 0, for ever", s.TTL, err)
	}
	table := TableSchema{}
	if table.Durability() != "SYNC_WAL" {
		t.Errorf("durability of a table that names none = %s", table.Durability())
	}
	table.Attributes = map[string]string{"DURABILITY": "SKIP_WAL", "READONLY": "true"}
	if table.Durability() != "SKIP_WAL" || !table.ReadOnly() {
		t.Errorf("durability %s, read-only %v", table.Durability(), table.ReadOnly())
	}
}

func TestSchemaSettingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := FamilySettings{
			Versions:           rapid.IntRange(1, 100).Draw(t, "versions"),
			MinVersions:        rapid.IntRange(0, 5).Draw(t, "min"),
			TTL:                rapid.IntRange(0, 1<<31-2).Draw(t, "ttl"),
			NewVersionBehavior: rapid.Bool().Draw(t, "nvb"),
			KeepDeletedCells:   rapid.SampledFrom([]string{"FALSE", "TRUE", "TTL"}).Draw(t, "keep"),
			BloomFilter:        rapid.SampledFrom([]string{"NONE", "ROW", "ROWCOL"}).Draw(t, "bloom"),
			DataBlockEncoding:  rapid.SampledFrom([]string{"NONE", "FAST_DIFF"}).Draw(t, "encoding"),
			Compression:        rapid.SampledFrom([]string{"NONE", "GZ"}).Draw(t, "compression"),
			ReplicationScope:   rapid.IntRange(0, 1).Draw(t, "scope"),
		}
		if out, err := ParseFamilySettings(in.Attributes()); err != nil || out != in {
			t.Fatalf("%+v came back as %+v, %v", in, out, err)
		}
	})
}

func TestSchemaCoprocessors(t *testing.T) {
	for value, want := range map[string]Coprocessor{
		"|a.B|5|":                  {Class: "a.B", Priority: 5},
		"|a.B||":                   {Class: "a.B", Priority: userPriority},
		"|a.B":                     {Class: "a.B", Priority: userPriority},
		"hdfs:///x.jar|a.B|7|k=v,": {Class: "a.B", Path: "hdfs:///x.jar", Priority: 7, Arguments: "k=v,"},
		" | a.B | 9 | ":            {Class: "a.B", Priority: 9, Arguments: " "},
	} {
		if got, err := ParseCoprocessor(value); err != nil || got != want {
			t.Errorf("ParseCoprocessor(%q) = %+v, %v; want %+v", value, got, err, want)
		}
	}
	for _, bad := range []string{"", "a.B", "||5|", "|a.B|x|"} {
		if _, err := ParseCoprocessor(bad); err == nil {
			t.Errorf("ParseCoprocessor(%q) accepted it", bad)
		}
	}
	s := TableSchema{Attributes: map[string]string{"coprocessor$2": "|a.B|5|", "coprocessor$x": "no number"}}
	if !s.AddCoprocessor(CoprocessorMultiRowMutation) || s.AddCoprocessor(CoprocessorMultiRowMutation) {
		t.Error("adding a class twice must change the schema once")
	}
	all, err := s.Coprocessors()
	if err != nil || len(all) != 2 || all[0].Class != "a.B" || all[1].Class != CoprocessorMultiRowMutation {
		t.Errorf("coprocessors = %+v, %v", all, err)
	}
	if s.Attributes["coprocessor$3"] != "|"+CoprocessorMultiRowMutation+"|1073741823|" {
		t.Errorf("attributes = %v, want the class under number 3", s.Attributes)
	}
	var empty TableSchema
	empty.AddCoprocessor("a.B")
	if empty.Attributes["coprocessor$1"] == "" {
		t.Errorf("attributes = %v, want the first coprocessor under number 1", empty.Attributes)
	}
}

// What a newer server says of a table must survive a change of ours to it.
func TestSchemaKeepsWhatItDoesNotKnow(t *testing.T) {
	in := &pb.TableSchema{
		TableName:     &pb.TableName{Namespace: []byte("shop"), Qualifier: []byte("orders")},
		Attributes:    []*pb.BytesBytesPair{{First: []byte("NEW_THING"), Second: []byte("7")}},
		Configuration: []*pb.NameStringPair{{Name: proto.String("k"), Value: proto.String("v")}},
		ColumnFamilies: []*pb.ColumnFamilySchema{{
			Name:          []byte("d"),
			Attributes:    []*pb.BytesBytesPair{{First: []byte("ALSO_NEW"), Second: []byte{0, 255}}},
			Configuration: []*pb.NameStringPair{{Name: proto.String("x"), Value: proto.String("y")}},
		}},
	}
	s, err := tableSchemaOf(in)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Clone()
	if out := c.proto(); !proto.Equal(in, out) {
		t.Errorf("came back as %v, want %v", out, in)
	}
	c.Families[0].Attributes["ALSO_NEW"] = "changed"
	c.Attributes["NEW_THING"] = "changed"
	if reflect.DeepEqual(s, c) || s.Families[0].Attributes["ALSO_NEW"] == "changed" || s.Attributes["NEW_THING"] == "changed" {
		t.Error("a change of the copy reached the original")
	}
	if s.Name != "shop:orders" || s.Family("d") == nil || s.Family("e") != nil {
		t.Errorf("schema = %+v", s)
	}
}
