package cluster

import "fmt"

// Get reads rows, each by one Get of its own, so that what it returns of a row
// was there at one time: every version of every cell, in HBase's order. A row
// that is not there returns no cell.
func (c *JavaClient) Get(table string, rows ...string) ([]Cell, error) {
	words := []string{table}
	for _, r := range rows {
		words = append(words, Hex(r))
	}
	lines, err := c.lines("get", words...)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(lines))
	for i, line := range lines {
		if cells[i], err = parseCell(line); err != nil {
			return nil, fmt.Errorf("reading rows of %s: %w", table, err)
		}
	}
	return cells, nil
}
