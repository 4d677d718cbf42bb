package hbase

import (
	"errors"
	"fmt"
)

// Limits of HBase's cell format.
const (
	maxRow    = 32767
	maxFamily = 127
)

// checkWrite refuses, for its row alone, what a server would answer by failing the neighbours too, or would not
// check at all.
func checkWrite(w *RowWrite, maxCell int) error {
	if err := checkRow(w.Row); err != nil {
		return err
	}
	bad := func(format string, args ...any) error {
		return &Error{Fault: FaultRow, Err: fmt.Errorf("checking the write of row %x: "+format, append([]any{w.Row}, args...)...)}
	}
	if len(w.Mutations) == 0 {
		return bad("it has no mutation")
	}
	for i := range w.Mutations {
		m := &w.Mutations[i]
		if m.Kind > KindDelete {
			return bad("mutation kind %d is unknown", m.Kind)
		}
		// A delete without cells would take the whole row, marks included.
		if len(m.Cells) == 0 {
			return bad("a mutation has no cell")
		}
		for j := range m.Cells {
			if err := checkCell(w.Row, m.Kind, &m.Cells[j], maxCell); err != nil {
				return bad("%w", err)
			}
		}
	}
	if c := w.Condition; c != nil {
		if len(c.Family) == 0 || len(c.Family) > maxFamily {
			return bad("the condition's family has %d bytes, must be 1 to %d", len(c.Family), maxFamily)
		}
		if c.Op > CompareGreater {
			return bad("comparison %d is unknown", c.Op)
		}
		if c.From < 0 || c.To < 0 || c.To != 0 && c.To <= c.From {
			return bad("the condition's time range [%d, %d) holds nothing", c.From, c.To)
		}
	}
	return nil
}

func checkCell(row []byte, kind Kind, c *MutationCell, maxCell int) error {
	if c.Column == nil {
		return errors.New("a cell names no column")
	}
	if len(c.Family) == 0 || len(c.Family) > maxFamily {
		return fmt.Errorf("a cell's family has %d bytes, must be 1 to %d", len(c.Family), maxFamily)
	}
	if c.Timestamp < 0 {
		return fmt.Errorf("timestamp %d of a cell of family %s is negative", c.Timestamp, c.Family)
	}
	if n := cellSize(row, c.Family, c.Qualifier, c.Value); n > maxCell {
		return fmt.Errorf("a cell of family %s has %d bytes, over the limit of %d (hbase.server.keyvalue.maxsize)", c.Family, n, maxCell)
	}
	if kind == KindDelete {
		if _, ok := deleteType(c.Type); !ok {
			return fmt.Errorf("cell type %d is no delete", c.Type)
		}
		if len(c.Qualifier) > 0 && (c.Type == CellDeleteFamily || c.Type == CellDeleteFamilyVersion) {
			return fmt.Errorf("a delete of family %s names a qualifier", c.Family)
		}
	} else if c.Type != CellPut && c.Type != 0 {
		return fmt.Errorf("cell type %d stands in a mutation that is no delete", c.Type)
	}
	if kind == KindIncrement && len(c.Value) != 8 {
		return fmt.Errorf("an increment of family %s has %d bytes, must be 8", c.Family, len(c.Value))
	}
	return nil
}
