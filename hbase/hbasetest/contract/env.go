package contract

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/hbase"
)

// Target is an HBase under test.
type Target interface {
	// Config is for a client of it.
	Config() hbase.Config
	// Do runs a command from outside of the client: flush, majorcompact, disable, enable, delete, count TABLE;
	// split TABLE KEY; deleteall TABLE KEY; reopen REGION; snapshot TABLE NAME; restore, deletesnapshot NAME.
	// Keys are in hex.
	Do(command string, args ...string) (string, error)
	// Dump reads every visible version of every cell, in HBase's order.
	Dump(table string) ([]Cell, error)
}

// Cell is one cell as Dump shows it.
type Cell struct {
	Row       string // the key's bytes
	Family    string
	Qualifier string // the bytes
	Timestamp int64
	Type      string
	Value     []byte
}

// Case is one part of the contract.
type Case struct {
	Name string
	Run  func(*testing.T, *Env)
}

// Cases are all parts.
func Cases() []Case {
	return []Case{
		{"MarkCondition", markCondition},
		{"MarkConditionOverSplits", markConditionOverSplits},
		{"MarkConditionAcrossModes", markConditionAcrossModes},
		{"MarkConditionIsPerSource", markConditionIsPerSource},
		{"ForeignDeleteAll", foreignDeleteAll},
		{"ForeignDeleteAllThenReplayFillsOnce", foreignDeleteAllThenReplay},
		{"ForeignTTL", foreignTTL},
		{"MarkCellTTL", markCellTTL},
		{"OrderOfOperations", orderOfOperations},
		{"IncrementRightAfterDelete", incrementRightAfterDelete},
		{"IncrementOfAShortCell", incrementOfAShortCell},
		{"EmptyQualifier", emptyQualifier},
		{"Comparisons", comparisons},
		{"Refusals", refusals},
		{"RegionTransactionIsAllOrNothing", transactionIsAllOrNothing},
		{"RegionTransactionFailsWhole", transactionFailsWhole},
		{"RegionTransactionOfManyRows", transactionOfManyRows},
		{"RegionTransactionEndsAtTheRegion", transactionEndsAtTheRegion},
		{"BatchOfAllSorts", batchOfAllSorts},
		{"BatchWithABadRow", batchWithABadRow},
		{"BatchOverASplit", batchOverASplit},
		{"BatchWithACellTooLarge", batchWithACellTooLarge},
		{"RestoredTableTakesExactlyTheGap", restoredTable},
		{"ZooKeeperRefusesALostSession", lostSession},
	}
}

// Run runs all parts against a target.
func Run(t *testing.T, target Target) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, Connect(t, target)) })
	}
}

// Env is a target with a client of it.
type Env struct {
	Ctx    context.Context
	C      *hbase.Client
	Admin  *hbase.Admin
	target Target
}

// Connect opens a client for a test.
func Connect(t *testing.T, target Target) *Env {
	t.Helper()
	return connect(t, target, func(*hbase.Config) {})
}

// connect opens one with another configuration.
func connect(t *testing.T, target Target, configure func(*hbase.Config)) *Env {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	cfg := target.Config()
	configure(&cfg)
	c, err := hbase.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &Env{Ctx: ctx, C: c, Admin: c.Admin(), target: target}
}

// The families of the tables: one with the settings of the mark family, a data family that keeps log order by
// itself, a standard one, and one for marks that lacks what makes the mark family safe.
var (
	markFamily = hbase.FamilySchema{Name: "_k", Attributes: hbase.FamilySettings{
		MinVersions: 1, NewVersionBehavior: true, BloomFilter: "ROWCOL", DataBlockEncoding: "FAST_DIFF",
	}.Attributes()}
	standardFamily  = hbase.FamilySchema{Name: "s"}
	nvbFamily       = hbase.FamilySchema{Name: "n", Attributes: map[string]string{"NEW_VERSION_BEHAVIOR": "true"}}
	plainMarkFamily = hbase.FamilySchema{Name: "_p", Attributes: map[string]string{"VERSIONS": "1"}}
)

var tableCount atomic.Int64

// Table creates a table with all families and the coprocessor, and deletes it after the test.
func (e *Env) Table(t *testing.T, splits ...string) string {
	t.Helper()
	return e.tableOf(t, []hbase.FamilySchema{markFamily, plainMarkFamily, standardFamily, nvbFamily}, splits...)
}

func (e *Env) tableOf(t *testing.T, families []hbase.FamilySchema, splits ...string) string {
	t.Helper()
	s := hbase.TableSchema{Name: fmt.Sprintf("contract_%x_%d", time.Now().UnixNano(), tableCount.Add(1)), Families: families}
	s.AddCoprocessor(hbase.CoprocessorMultiRowMutation)
	var keys [][]byte
	for _, k := range splits {
		keys = append(keys, []byte(k))
	}
	return e.create(t, s, keys)
}

func (e *Env) create(t *testing.T, s hbase.TableSchema, keys [][]byte) string {
	t.Helper()
	if err := e.Admin.CreateTable(e.Ctx, s, keys...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := e.target.Do("delete", s.Name); err != nil {
			t.Error(err)
		}
	})
	return s.Name
}

// bareTable has the standard family and no coprocessor.
func (e *Env) bareTable(t *testing.T) string {
	t.Helper()
	s := hbase.TableSchema{Name: fmt.Sprintf("contract_%x_%d", time.Now().UnixNano(), tableCount.Add(1)), Families: []hbase.FamilySchema{standardFamily}}
	return e.create(t, s, nil)
}

// Modes are the ways of writing under conditions, AllModes those of writing. To a row with a condition ModeBatch is
// ModeRow.
var (
	Modes    = map[string]hbase.Mode{"row": hbase.ModeRow, "region": hbase.ModeRegion}
	AllModes = map[string]hbase.Mode{"row": hbase.ModeRow, "region": hbase.ModeRegion, "batch": hbase.ModeBatch}
)

// Write sends rows in one Write and returns their results in order.
func (e *Env) Write(table string, mode hbase.Mode, rows ...hbase.RowWrite) []hbase.WriteResult {
	out := make([]hbase.WriteResult, len(rows))
	var mu sync.Mutex
	e.C.Write(e.Ctx, table, mode, rows, func(idx []int, res []hbase.WriteResult) {
		mu.Lock()
		defer mu.Unlock()
		for i, at := range idx {
			out[at] = res[i]
		}
	})
	return out
}

// Must sends rows that have to be applied. Where a region is on its way, nothing is written, and it tries again.
func (e *Env) Must(t *testing.T, table string, mode hbase.Mode, rows ...hbase.RowWrite) {
	t.Helper()
	for i := range rows {
		if r := e.Settled(t, table, mode, rows[i]); r.Outcome != hbase.Applied {
			t.Fatalf("write of row %s: outcome %d, %v; want applied", rows[i].Row, r.Outcome, r.Err)
		}
	}
}

// Settled sends one row until the answer is about the row and not about where its region is.
func (e *Env) Settled(t *testing.T, table string, mode hbase.Mode, row hbase.RowWrite) hbase.WriteResult {
	t.Helper()
	for {
		r := e.Write(table, mode, row)[0]
		if r.Outcome == hbase.Unknown {
			t.Fatalf("write of row %s: unknown outcome: %v", row.Row, r.Err)
		}
		switch hbase.FaultOf(r.Err) {
		case hbase.FaultRelocate, hbase.FaultConnect, hbase.FaultBusy:
		default:
			return r
		}
		if e.Ctx.Err() != nil {
			t.Fatalf("write of row %s: %v", row.Row, r.Err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Rows reads a table past the client, newest version of each column first.
func (e *Env) Rows(t *testing.T, table string) map[string][]Cell {
	t.Helper()
	all, err := e.target.Dump(table)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]Cell{}
	for _, c := range all {
		rows[c.Row] = append(rows[c.Row], c)
	}
	return rows
}

// Do runs a command that must succeed.
func (e *Env) Do(t *testing.T, command string, args ...string) string {
	t.Helper()
	out, err := e.target.Do(command, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (e *Env) regions(t *testing.T, table string) []hbase.Region {
	t.Helper()
	r, err := e.C.Regions(e.Ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func long(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// hexed writes bytes as the commands of a target want them.
func hexed[T string | []byte](b T) string { return hex.EncodeToString([]byte(b)) }
