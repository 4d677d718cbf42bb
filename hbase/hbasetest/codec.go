package hbasetest

import (
	"encoding/binary"
	"errors"

	"rowmark/hbase"
)

// The layout of KeyValueCodec: int32 length, int32 key length, int32 value length, key, value; the key is int16 row
// length, row, byte family length, family, qualifier, int64 timestamp, byte type.

const keyFixed = 2 + 1 + 8 + 1

// kvSize is a cell's size as hbase.server.keyvalue.maxsize counts it.
func kvSize(row, family, qualifier, value []byte) int {
	return 8 + keyFixed + len(row) + len(family) + len(qualifier) + len(value)
}

func encodeCell(b []byte, c *hbase.Cell) []byte {
	size := kvSize(c.Row, c.Family, c.Qualifier, c.Value)
	b = binary.BigEndian.AppendUint32(b, uint32(size))
	b = binary.BigEndian.AppendUint32(b, uint32(size-8-len(c.Value)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(c.Value)))
	b = binary.BigEndian.AppendUint16(b, uint16(len(c.Row)))
	b = append(b, c.Row...)
	b = append(b, byte(len(c.Family)))
	b = append(b, c.Family...)
	b = append(b, c.Qualifier...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Timestamp))
	b = append(b, byte(c.Type))
	return append(b, c.Value...)
}

func encodeCells(b []byte, cells []hbase.Cell) []byte {
	for i := range cells {
		b = encodeCell(b, &cells[i])
	}
	return b
}

// cellBlock hands out a request's cells in the order in which its actions claim them.
type cellBlock struct{ rest []byte }

var errBlock = errors.New("cell block does not hold the cells that the request claims")

func (b *cellBlock) next() (hbase.Cell, error) {
	d := &decoder{b: b.rest}
	size := int(d.uint32())
	kv := d.bytes(size)
	b.rest = d.b
	k := &decoder{b: kv}
	keyLen, valueLen := int(k.uint32()), int(k.uint32())
	key := &decoder{b: k.bytes(keyLen)}
	c := hbase.Cell{Value: k.bytes(valueLen)}
	c.Row = key.bytes(int(key.uint16()))
	c.Family = key.bytes(int(key.byte()))
	c.Qualifier = key.bytes(len(key.b) - 9)
	c.Timestamp = int64(key.uint64())
	c.Type = hbase.CellType(key.byte())
	if d.bad || k.bad || key.bad {
		return c, errBlock
	}
	return c, nil
}

// decoder takes fixed-width values off bytes; bad once they have run out.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.bad = true
		return make([]byte, 8) // for the integers; never looked at
	}
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) byte() byte     { return d.bytes(1)[0] }
func (d *decoder) uint16() uint16 { return binary.BigEndian.Uint16(d.bytes(2)) }
func (d *decoder) uint32() uint32 { return binary.BigEndian.Uint32(d.bytes(4)) }
func (d *decoder) uint64() uint64 { return binary.BigEndian.Uint64(d.bytes(8)) }
