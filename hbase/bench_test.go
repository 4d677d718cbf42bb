package hbase

import (
	"context"
	"fmt"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// BenchmarkRealWrite writes marked rows of 5 columns into 4 regions of a real HBase, 2000 rows a Write.
func BenchmarkRealWrite(b *testing.B) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c, err := Open(ctx, Config{ZooKeeper: cluster.SharedZooKeeper(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	schema := TableSchema{Name: cluster.UniqueName(b), Families: []FamilySchema{{Name: "d"}, {Name: "k"}}}
	schema.AddCoprocessor(CoprocessorMultiRowMutation)
	if err := c.Admin().CreateTable(ctx, schema, []byte("r1"), []byte("r2"), []byte("r3")); err != nil {
		b.Fatal(err)
	}
	for mode, name := range map[Mode]string{ModeRow: "row", ModeRegion: "region"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			next := 0
			for b.Loop() {
				rows := make([]RowWrite, 2000)
				for i := range rows {
					rows[i] = benchRow(fmt.Sprintf("r%d-%d-%d-%d", i%4, mode, b.N, next))
					next++
				}
				c.Write(ctx, schema.Name, mode, rows, func(_ []int, res []WriteResult) {
					for _, r := range res {
						if r.Outcome != Applied {
							b.Errorf("outcome %d: %v", r.Outcome, r.Err)
							return
						}
					}
				})
			}
			b.ReportMetric(float64(next)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func benchRow(row string) RowWrite {
	var put Mutation
	put.Kind = KindPut
	for q := range 5 {
		put.Cells = append(put.Cells, MutationCell{Column: &Column{[]byte("d"), []byte{'a' + byte(q)}}, Timestamp: 1000, Value: []byte("a value of about thirty bytes.")})
	}
	return marked(row, 1, 2, put)
}
