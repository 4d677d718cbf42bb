package hbase

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// resultCells gathers a result's cells, which travel in the message, in the cell block, or in both.
func resultCells(res *pb.Result, block *cellReader) ([]Cell, error) {
	fromBlock, err := block.take(int(res.GetAssociatedCellCount()))
	if err != nil {
		return nil, &Error{Fault: FaultAmbiguous, Err: err}
	}
	if len(res.GetCell()) == 0 {
		return fromBlock, nil
	}
	cells := make([]Cell, 0, len(res.Cell)+len(fromBlock))
	for _, c := range res.Cell {
		cells = append(cells, Cell{
			Row: c.Row, Family: c.Family, Qualifier: c.Qualifier,
			Timestamp: int64(c.GetTimestamp()), Type: CellType(c.GetCellType()), Value: c.Value,
		})
	}
	return append(cells, fromBlock...), nil
}

func pbGet(g *Get) *pb.Get {
	return &pb.Get{Row: g.Row, Column: pbColumns(g.Columns), MaxVersions: proto.Uint32(uint32(max(g.Versions, 1)))}
}

// pbColumns gathers the qualifiers of each family. A family named without one is asked for whole.
func pbColumns(columns []Column) []*pb.Column {
	var out []*pb.Column
	byFamily := map[string]*pb.Column{}
	whole := map[string]bool{}
	for _, c := range columns {
		f := string(c.Family)
		p := byFamily[f]
		if p == nil {
			p = &pb.Column{Family: c.Family}
			byFamily[f] = p
			out = append(out, p)
		}
		if c.Qualifier == nil {
			whole[f] = true
		}
		if whole[f] {
			p.Qualifier = nil
		} else {
			p.Qualifier = append(p.Qualifier, c.Qualifier)
		}
	}
	return out
}

// checkRow refuses row keys that the server would answer with an unchecked exception.
func checkRow(row []byte) error {
	if len(row) == 0 || len(row) > maxRow {
		return &Error{Fault: FaultRow, Err: fmt.Errorf("checking a row key: %d bytes, must be 1 to %d", len(row), maxRow)}
	}
	return nil
}
