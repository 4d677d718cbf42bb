package deadletter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"rowmark/connector/mapping"
)

const (
	// cellRest is more than a cell takes beside its row key and value: family, qualifier, numbers.
	cellRest = 128
	// leastCell keeps the number of pieces small where cells must be tiny.
	leastCell = 1 << 10
	// letterMost is about the most that a letter holds, in bytes: it is one write, well below the largest call that a
	// server takes (hbase.ipc.max.request.size, 256 MiB).
	letterMost = 64 << 20
)

// builder adds a letter's cells.
type builder struct {
	ops  *mapping.RowOps
	cell int // most bytes of a value
	left int // bytes that the letter may still take
}

func (b *builder) put(name string, value []byte) {
	b.ops.Cells = append(b.ops.Cells, mapping.CellOp{ColumnName: column(name), Kind: mapping.CellPut, Value: value})
	b.left -= len(value)
}

func (b *builder) text(name, value string) { b.put(name, []byte(value)) }

func (b *builder) json(name string, v any) { b.bytes(name, marshal(v)) }

// bytes adds a value whole, in pieces, or says what is left out. nil is no cell.
func (b *builder) bytes(name string, value []byte) {
	cell := max(b.cell, leastCell)
	switch {
	case value == nil:
	case len(value) > b.left:
		sum := sha256.Sum256(value)
		b.text(name+endSize, strconv.Itoa(len(value)))
		b.text(name+endHash, hex.EncodeToString(sum[:]))
	case len(value) <= cell:
		b.put(name, value)
	default:
		for i := 0; len(value) > 0; i++ {
			n := min(cell, len(value))
			b.put(pieceName(name, i), value[:n:n])
			value = value[n:]
		}
	}
}

func pieceName(name string, i int) string { return fmt.Sprintf("%s.%04d", name, i) }
