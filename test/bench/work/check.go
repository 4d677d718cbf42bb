package work

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"rowmark/hbase"
)

// Check reads a whole table and demands that it holds rows 0 to rows-1 with the cells of their kind, and no more: a
// contestant that writes less, or something else, is no match.
func Check(ctx context.Context, c *hbase.Client, table string, rows int, k Kind) error {
	seen := 0
	err := c.Scan(ctx, table, hbase.Scan{}, func(r hbase.Row) error {
		seen++
		return checkRow(r, rows, k)
	})
	if err == nil && seen != rows {
		err = fmt.Errorf("it holds %d rows, want %d", seen, rows)
	}
	if err != nil {
		return fmt.Errorf("checking table %s: %w", table, err)
	}
	return nil
}

func checkRow(r hbase.Row, rows int, k Kind) error {
	_, digits, _ := bytes.Cut(r.Row, []byte("-"))
	i, err := strconv.Atoi(string(digits))
	if err != nil || i < 0 || i >= rows || !bytes.Equal(Key(i), r.Row) {
		return fmt.Errorf("row %s is none of ours", r.Row)
	}
	var want []hbase.Cell
	for _, m := range Row(i, k).Mutations {
		for j := range m.Cells {
			want = append(want, m.Cells[j].In(r.Row))
		}
	}
	if len(r.Cells) != len(want) {
		return fmt.Errorf("row %s has %d cells, want %d", r.Row, len(r.Cells), len(want))
	}
	for _, c := range want {
		if !slices.ContainsFunc(r.Cells, func(got hbase.Cell) bool { return same(got, c) }) {
			return fmt.Errorf("row %s lacks %s:%s at %d, or has another value there", r.Row, c.Family, c.Qualifier, c.Timestamp)
		}
	}
	return nil
}

// same compares cells; what the server stamped has any time.
func same(got, want hbase.Cell) bool {
	return bytes.Equal(got.Family, want.Family) && bytes.Equal(got.Qualifier, want.Qualifier) && bytes.Equal(got.Value, want.Value) &&
		(got.Timestamp == want.Timestamp || want.Timestamp == hbase.LatestTimestamp)
}
