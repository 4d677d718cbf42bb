package connector

import (
	"strings"
	"testing"

	"rowmark/hbase"
)

func goodTable() hbase.TableSchema {
	return hbase.TableSchema{Name: "shop:orders", Families: []hbase.FamilySchema{
		{Name: "d", Attributes: hbase.FamilySettings{Versions: 3}.Attributes()},
		{Name: "_k", Attributes: MarkFamilySettings(0).Attributes()},
	}}
}

func TestCheckSchema(t *testing.T) {
	set := func(family, key, value string) func(*hbase.TableSchema) {
		return func(s *hbase.TableSchema) { s.Family(family).Attributes[key] = value }
	}
	table := func(key, value string) func(*hbase.TableSchema) {
		return func(s *hbase.TableSchema) { s.Attributes = map[string]string{key: value} }
	}
	for _, c := range []struct {
		name   string
		change func(*hbase.TableSchema)
		need   needs
		want   string // part of the error; empty: the table is right
	}{
		{"right", func(*hbase.TableSchema) {}, needs{}, ""},
		{"marks with versions", set("_k", "VERSIONS", "3"), needs{}, "VERSIONS => 1"},
		{"marks with a TTL", set("_k", "TTL", "86400"), needs{}, "TTL => 'FOREVER'"},
		{"marks without MIN_VERSIONS", set("_k", "MIN_VERSIONS", "0"), needs{}, "MIN_VERSIONS => 1"},
		{"marks by the old rule of versions", set("_k", "NEW_VERSION_BEHAVIOR", "false"), needs{}, "NEW_VERSION_BEHAVIOR"},
		{"marks that keep deleted cells", set("_k", "KEEP_DELETED_CELLS", "TRUE"), needs{}, "KEEP_DELETED_CELLS"},
		{"no mark family", func(s *hbase.TableSchema) { s.Families = s.Families[:1] }, needs{}, "no mark family _k; run rowmark init"},
		{"no data family", func(*hbase.TableSchema) {}, needs{families: []string{"d", "c"}}, "no column family c; run rowmark init"},
		{"no WAL (W1)", table("DURABILITY", "SKIP_WAL"), needs{}, "DURABILITY SKIP_WAL"},
		{"late WAL (W1)", table("DURABILITY", "ASYNC_WAL"), needs{}, "DURABILITY ASYNC_WAL"},
		{"no WAL, accepted", table("DURABILITY", "SKIP_WAL"), needs{weakWAL: true}, ""},
		{"read-only", table("READONLY", "true"), needs{}, "read-only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := goodTable()
			c.change(&s)
			c.need.markFamily = "_k"
			err := checkSchema(&s, c.need)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || hbase.FaultOf(err) != hbase.FaultSchema {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// What init makes of a table passes the check of run, and a second init finds nothing to do.
func TestInitCompletesWhatRunChecks(t *testing.T) {
	p := &initPlan{opts: InitOptions{Region: true}}
	for name, s := range map[string]hbase.TableSchema{
		"new":            {Name: "t"},
		"without marks":  {Name: "t", Families: []hbase.FamilySchema{{Name: "d"}}},
		"with bad marks": {Name: "t", Families: []hbase.FamilySchema{{Name: "_k", Attributes: hbase.FamilySettings{Versions: 5, TTL: 60}.Attributes()}}},
	} {
		if changes := p.complete(&s, []string{"c", "d"}, "_k"); len(changes) == 0 {
			t.Errorf("%s: nothing to do", name)
		}
		if err := checkSchema(&s, needs{markFamily: "_k", families: []string{"c", "d"}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !s.HasCoprocessor(MultiRowEndpoint) {
			t.Errorf("%s: no coprocessor", name)
		}
		if changes := p.complete(&s, []string{"c", "d"}, "_k"); len(changes) != 0 {
			t.Errorf("%s: the second time: %v", name, changes)
		}
	}
}
