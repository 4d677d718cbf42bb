package rowkey

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
)

// floatOffset is what Phoenix adds to the ordered form.
func (e Encoding) floatOffset() uint32 {
	if e == PhoenixFloat || e == PhoenixDouble {
		return 1
	}
	return 0
}

func (e Encoding) appendFloat(dst []byte, v Value) ([]byte, error) {
	f, err := float(v, 8*e.Width())
	if err != nil {
		return dst, err
	}
	ordered := e != BytesFloat32 && e != BytesFloat64
	if ordered && f == 0 {
		f = 0 // minus zero equals zero, so it sorts with it
	}
	if e.Width() == 4 {
		u := math.Float32bits(float32(f))
		if ordered {
			u = (u ^ (uint32(int32(u)>>31) | 1<<31)) + e.floatOffset()
		}
		return binary.BigEndian.AppendUint32(dst, u), nil
	}
	u := math.Float64bits(f)
	if ordered {
		u = (u ^ (uint64(int64(u)>>63) | 1<<63)) + uint64(e.floatOffset())
	}
	return binary.BigEndian.AppendUint64(dst, u), nil
}

// readFloat reads what appendFloat wrote.
func (e Encoding) readFloat(b []byte) string {
	ordered := e != BytesFloat32 && e != BytesFloat64
	if len(b) == 4 {
		u := binary.BigEndian.Uint32(b)
		if ordered {
			u -= e.floatOffset()
			u ^= uint32(int32(^u)>>31) | 1<<31
		}
		return strconv.FormatFloat(float64(math.Float32frombits(u)), 'g', -1, 32)
	}
	u := binary.BigEndian.Uint64(b)
	if ordered {
		u -= uint64(e.floatOffset())
		u ^= uint64(int64(^u)>>63) | 1<<63
	}
	return strconv.FormatFloat(math.Float64frombits(u), 'g', -1, 64)
}

func float(v Value, size int) (float64, error) {
	switch v.Kind {
	case Int:
		return float64(v.Int), nil
	case Bytes:
		return 0, errRawNumber
	case Bool:
		return 0, errNumber
	}
	// ParseFloat takes more than decimals: hex, underscores, infinities, NaN.
	for _, c := range v.Text {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' {
			return 0, errNumber
		}
	}
	f, err := strconv.ParseFloat(string(v.Text), size)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errTooLarge
	}
	if err != nil {
		return 0, errNumber
	}
	return f, nil
}
