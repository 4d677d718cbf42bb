package connector

import (
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/rowkey"
)

// At least once, a table needs neither marks nor transactions, whatever hbase.commit says: its rows go in batches.
func TestAtLeastOnceNeedsNoTransaction(t *testing.T) {
	store := newStore(t)
	err := store.Client.Admin().CreateTable(t.Context(), hbase.TableSchema{Name: "plain", Families: []hbase.FamilySchema{{Name: "d"}}})
	if err != nil {
		t.Fatal(err)
	}
	set, problems := mapping.Compile([]mapping.Spec{{
		Topics: []string{"t"}, Table: "plain", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
		RowKey:  rowkey.Spec{{Field: "key"}},
		Columns: []mapping.Column{{Field: "value.v", To: "d:v"}}, OnTombstone: "ignore",
	}}, mapping.Options{AtLeastOnce: true})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	table := set.Tables()[0].Name
	for _, commit := range []Commit{CommitAuto, CommitRegion, CommitRow} {
		e := &Engine{ctx: t.Context(), hbase: store.Client, opts: Options{
			Core: core.Config{AtLeastOnce: true}, Mappings: set, Commit: commit, MarkFamily: "_k", CallTimeout: time.Minute,
		}}
		if err := e.tables.check(e, table, hbase.ModeBatch); err != nil {
			t.Errorf("commit %s: %v", commit, err)
		}
		if got, ok := e.tableInfos()[table]; !ok || got.Mode != hbase.ModeBatch {
			t.Errorf("commit %s: %v, %v, want mode %d", commit, ok, got, hbase.ModeBatch)
		}
	}
}
