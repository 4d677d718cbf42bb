package hbase

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// cellCodec is the Java class of the codec of this file: cells end to end, without tags.
const cellCodec = "org.apache.hadoop.hbase.codec.KeyValueCodec"

// Fixed parts of a cell: key length, value length; in the key row length, family length, timestamp, type.
const (
	cellLengths  = 8
	cellKeyFixed = 2 + 1 + 8 + 1
)

var errCellCut = errors.New("cell block ends inside a cell")

// cellSize is the size of a cell in a cell block without the leading length, which is also what the server
// compares with hbase.server.keyvalue.maxsize.
func cellSize(row, family, qualifier, value []byte) int {
	return cellLengths + cellKeyFixed + len(row) + len(family) + len(qualifier) + len(value)
}

// appendCell adds one cell of the given row in KeyValueCodec's layout.
func appendCell(b, row []byte, c *MutationCell) []byte {
	key := cellKeyFixed + len(row) + len(c.Family) + len(c.Qualifier)
	b = binary.BigEndian.AppendUint32(b, uint32(cellLengths+key+len(c.Value)))
	b = binary.BigEndian.AppendUint32(b, uint32(key))
	b = binary.BigEndian.AppendUint32(b, uint32(len(c.Value)))
	b = binary.BigEndian.AppendUint16(b, uint16(len(row)))
	b = append(b, row...)
	b = append(b, byte(len(c.Family)))
	b = append(b, c.Family...)
	b = append(b, c.Qualifier...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Timestamp))
	b = append(b, byte(c.Type))
	return append(b, c.Value...)
}

// readCell takes one cell off the front of b. The cell shares b's memory.
func readCell(b []byte) (Cell, []byte, error) {
	if len(b) < 4 {
		return Cell{}, nil, errCellCut
	}
	size := uint64(binary.BigEndian.Uint32(b))
	b = b[4:]
	if size > uint64(len(b)) {
		return Cell{}, nil, errCellCut
	}
	kv, rest := b[:size:size], b[size:]
	if size < cellLengths {
		return Cell{}, nil, fmt.Errorf("cell of %d bytes has no room for its lengths", size)
	}
	keyLen, valueLen := uint64(binary.BigEndian.Uint32(kv)), uint64(binary.BigEndian.Uint32(kv[4:]))
	// What follows key and value are tags, which a server of another codec might send.
	if cellLengths+keyLen+valueLen > size || keyLen < cellKeyFixed {
		return Cell{}, nil, fmt.Errorf("cell of %d bytes claims a key of %d and a value of %d", size, keyLen, valueLen)
	}
	key := kv[cellLengths : cellLengths+keyLen : cellLengths+keyLen]
	value := kv[cellLengths+keyLen : cellLengths+keyLen+valueLen : cellLengths+keyLen+valueLen]
	rowLen := uint64(binary.BigEndian.Uint16(key))
	if cellKeyFixed+rowLen > keyLen {
		return Cell{}, nil, fmt.Errorf("key of %d bytes claims a row of %d", keyLen, rowLen)
	}
	familyLen := uint64(key[2+rowLen])
	if cellKeyFixed+rowLen+familyLen > keyLen {
		return Cell{}, nil, fmt.Errorf("key of %d bytes claims a row of %d and a family of %d", keyLen, rowLen, familyLen)
	}
	f := 3 + rowLen
	return Cell{
		Row:       key[2 : 2+rowLen : 2+rowLen],
		Family:    key[f : f+familyLen : f+familyLen],
		Qualifier: key[f+familyLen : keyLen-9 : keyLen-9],
		Timestamp: int64(binary.BigEndian.Uint64(key[keyLen-9:])),
		Type:      CellType(key[keyLen-1]),
		Value:     value,
	}, rest, nil
}

// cellReader hands out the cells of one answer in the order in which its results claim them.
type cellReader struct{ rest []byte }

// take reads n cells. A count the block cannot hold is an error before anything is allocated for it.
func (r *cellReader) take(n int) ([]Cell, error) {
	if n < 0 || n > len(r.rest)/(4+cellLengths+cellKeyFixed) {
		return nil, fmt.Errorf("reading %d cells from a block of %d bytes: %w", n, len(r.rest), errCellCut)
	}
	if n == 0 {
		return nil, nil
	}
	cells := make([]Cell, n)
	for i := range cells {
		var err error
		if cells[i], r.rest, err = readCell(r.rest); err != nil {
			return nil, fmt.Errorf("reading cell %d of %d: %w", i, n, err)
		}
	}
	return cells, nil
}
