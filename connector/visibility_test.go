package connector

import (
	"strings"
	"testing"
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/rowkey"
)

// On an HBase that would show labelled cells to everyone, their table is not written to.
func TestVisibilityWithoutItsCoprocessorIsRefused(t *testing.T) {
	store := newStore(t)
	err := store.Client.Admin().CreateTable(t.Context(), hbase.TableSchema{Name: "plain", Families: []hbase.FamilySchema{{Name: "d"}}})
	if err != nil {
		t.Fatal(err)
	}
	spec := mapping.Spec{
		Topics: []string{"t"}, Table: "plain", Key: mapping.Format{Format: "string"}, Value: mapping.Format{Format: "json"},
		RowKey:  rowkey.Spec{{Field: "key"}},
		Columns: []mapping.Column{{Field: "value.v", To: "d:v"}}, OnTombstone: "ignore",
	}
	for visibility, refused := range map[string]bool{"": false, "secret": true} {
		spec.Visibility = visibility
		set, problems := mapping.Compile([]mapping.Spec{spec}, mapping.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		e := &Engine{ctx: t.Context(), hbase: store.Client, opts: Options{Mappings: set, MarkFamily: "d", CallTimeout: time.Minute}}
		e.opts.Core.AtLeastOnce = true
		err := e.tables.check(e, "default:plain", hbase.ModeBatch)
		if refused && (hbase.FaultOf(err) != hbase.FaultSchema || !strings.Contains(err.Error(), "no VisibilityController")) || !refused && err != nil {
			t.Errorf("visibility %q: %v", visibility, err)
		}
	}
}
