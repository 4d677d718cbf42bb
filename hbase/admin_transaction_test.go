package hbase

import (
	"fmt"
	"strings"
	"testing"

	"rowmark/hbase/pb"
	"rowmark/test/cluster"
)

// A region transaction that holds a row of another region does nothing at all, wherever in it that row stands. The
// client never sends one by itself, so the call is made here by hand.
func TestAdminTransactionWithARowOutside(t *testing.T) {
	ctx, c, a := realAdmin(t)
	j := cluster.SharedJavaClient(t)
	table := cluster.UniqueName(t)
	schema := TableSchema{Name: table, Families: []FamilySchema{{Name: "d"}}}
	schema.AddCoprocessor(CoprocessorMultiRowMutation)
	if err := a.CreateTable(ctx, schema, []byte("m")); err != nil {
		t.Fatal(err)
	}
	regions, err := c.Regions(ctx, table)
	if err != nil || len(regions) != 2 {
		t.Fatalf("regions = %+v, %v", regions, err)
	}
	put := func(row string) *pb.MutationProto {
		return pbMutation([]byte(row), &Mutation{Kind: KindPut, Cells: []MutationCell{{Column: &Column{Family: []byte("d"), Qualifier: []byte("q")}, Timestamp: 1, Value: []byte("v")}}})
	}
	mutateRows := func(conditionRow string, rows ...string) error {
		req := &pb.MutateRowsRequest{}
		for _, r := range rows {
			req.MutationRequest = append(req.MutationRequest, put(r))
		}
		if conditionRow != "" {
			req.Condition = append(req.Condition, pbCondition(t, []byte(conditionRow), &Condition{Family: []byte("d"), Qualifier: []byte("q"), Op: CompareEqual}))
		}
		call := pbExecService(t, &regions[0], []byte(rows[0]), req)
		return c.callServer(ctx, regions[0].Addr, clientService, "ExecService", call, &pb.CoprocessorServiceResponse{})
	}
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("b%05d", i)
	}
	for name, bad := range map[string]struct {
		condition string
		rows      []string
	}{
		"first":       {"", []string{"x", "a"}},
		"last":        {"", []string{"a", "b", "x"}},
		"last of all": {"", append(many, "x")},
		"condition":   {"x", []string{"a"}},
	} {
		err := mutateRows(bad.condition, bad.rows...)
		if err == nil {
			t.Errorf("%s: a row of another region was taken", name)
		} else if f := FaultOf(err); f != FaultRelocate {
			t.Errorf("%s: fault %d, want a relocation: %v", name, f, err)
		}
		if out, err := j.Do("count", table); err != nil || out != "0 0" {
			t.Errorf("%s: the table holds %q rows and cells, %v; want none", name, out, err)
		}
	}
	if err := mutateRows("a", "a", "b"); err != nil {
		t.Errorf("a transaction inside the region: %v", err)
	}
	if out, err := j.Do("count", table); err != nil || !strings.HasPrefix(out, "2 ") {
		t.Errorf("the table holds %q rows and cells, %v; want 2 rows", out, err)
	}
	if _, err := j.Do("delete", table); err != nil {
		t.Error(err)
	}
}
