package connector

import (
	"fmt"
	"strings"

	"rowmark/hbase"
)

// MultiRowEndpoint is the coprocessor that region transactions need. It ships with HBase.
const MultiRowEndpoint = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint"

// MarkFamilySettings are the settings under which marks hold: a foreign deleteall and a TTL set later can't let
// a duplicate pass (measured; FACTS-ORDER, last paragraph).
func MarkFamilySettings(replication int) hbase.FamilySettings {
	return hbase.FamilySettings{
		Versions: 1, MinVersions: 1, NewVersionBehavior: true,
		BloomFilter: "ROWCOL", DataBlockEncoding: "FAST_DIFF", ReplicationScope: replication,
	}
}

// schemaError is a table that can't be written to as it is.
func schemaError(format string, args ...any) error {
	return &hbase.Error{Fault: hbase.FaultSchema, Err: fmt.Errorf(format, args...)}
}

// needs is what a table must have.
type needs struct {
	markFamily string // empty: no marks are written
	families   []string
	weakWAL    bool // a table without a durable WAL is accepted
}

// checkSchema says all that is wrong with a table, and what mends it.
func checkSchema(t *hbase.TableSchema, n needs) error {
	var wrong []string
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if t.ReadOnly() {
		note("table %s is read-only; alter it with READONLY => 'false'", t.Name)
	}
	if d := strings.ToUpper(t.Durability()); (d == "SKIP_WAL" || d == "ASYNC_WAL") && !n.weakWAL {
		note("table %s has DURABILITY %s: what HBase acknowledges could be lost; alter it with DURABILITY => 'SYNC_WAL', or set hbase.allow_weak_wal: true", t.Name, d)
	}
	for _, f := range n.families {
		if t.Family(f) == nil {
			note("table %s has no column family %s; run rowmark init", t.Name, f)
		}
	}
	if n.markFamily != "" {
		if f := t.Family(n.markFamily); f == nil {
			note("table %s has no mark family %s; run rowmark init", t.Name, n.markFamily)
		} else if err := checkMarkFamily(t, f); err != nil {
			note("%v", err)
		}
	}
	if wrong == nil {
		return nil
	}
	return schemaError("%s", strings.Join(wrong, "; and "))
}

func checkMarkFamily(t *hbase.TableSchema, f *hbase.FamilySchema) error {
	got, err := f.Settings()
	if err != nil {
		return schemaError("reading the settings of family %s of table %s: %w", f.Name, t.Name, err)
	}
	var wrong []string
	note := func(ok bool, setting string) {
		if !ok {
			wrong = append(wrong, setting)
		}
	}
	note(got.Versions == 1, "VERSIONS => 1")
	note(got.MinVersions == 1, "MIN_VERSIONS => 1")
	note(got.NewVersionBehavior, "NEW_VERSION_BEHAVIOR => 'true'")
	note(got.TTL == 0, "TTL => 'FOREVER'")
	note(got.KeepDeletedCells == "" || strings.EqualFold(got.KeepDeletedCells, "FALSE"), "KEEP_DELETED_CELLS => 'FALSE'")
	note(!strings.Contains(f.Configuration["hbase.hstore.engine.class"], "DateTiered") &&
		!strings.Contains(t.Configuration["hbase.hstore.engine.class"], "DateTiered"), "no date-tiered compaction")
	if wrong != nil {
		return schemaError("mark family %s of table %s must have %s: marks could be lost and records applied twice; run rowmark init", f.Name, t.Name, strings.Join(wrong, ", "))
	}
	return nil
}
