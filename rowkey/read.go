package rowkey

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// read gives the text of a part's bytes.
func (p *part) read(b []byte) (string, error) {
	switch p.kind {
	case literalPart:
		if !bytes.Equal(b, p.lit) {
			return "", errLiteral
		}
		return readable(b), nil
	case saltPart, hashPart:
		return p.readHash(b)
	}
	if p.enc.turns() {
		return p.readText(b), nil
	}
	return p.readBits(b)
}

func (p *part) readHash(b []byte) (string, error) {
	switch {
	case p.buckets > 0 && p.spec.As == "string":
		n, err := strconv.Atoi(string(b))
		if err != nil || n < 0 || n >= p.buckets || !allDigits(b) {
			return "", errBucket
		}
		return strconv.Itoa(n), nil
	case p.buckets > 0:
		n := 0
		for _, x := range b {
			n = n<<8 | int(x)
		}
		if n >= p.buckets {
			return "", errBucket
		}
		return strconv.Itoa(n), nil
	case p.spec.Hex > 0:
		return readable(b), nil
	}
	return hexText(b), nil
}

// readText reads what appendText wrote.
func (p *part) readText(b []byte) string {
	b = bytes.Clone(b)
	switch {
	case p.spec.Width > 0:
		b = p.unpad(b)
	case p.spec.Escape && !p.spec.AllowSeparator && p.sep != nil:
		b = unescape(b)
	}
	if p.spec.Reverse {
		turned := bytes.Clone(b)
		reverse(turned, utf8.Valid(b))
		b = turned
	}
	if p.enc == Base64 || p.enc == Base64URL {
		return p.enc.readBase64(b)
	}
	return readable(b)
}

// readBits reads what appendBits wrote.
func (p *part) readBits(b []byte) (string, error) {
	if p.ended() {
		if len(b) == 0 || b[0] == 0 {
			return "", nil // null
		}
		b = bytes.TrimSuffix(b, []byte{p.end()})
	}
	if len(b) == 0 { // null
		return "", nil
	}
	if p.spec.Reverse {
		b = bytes.Clone(b)
		p.complement(b)
	}
	switch p.enc {
	case PhoenixVarchar:
		return readable(b), nil
	case PhoenixChar:
		return readable(p.unpad(b)), nil
	}
	return p.enc.read(b)
}

// read gives the text of an encoded value.
func (e Encoding) read(b []byte) (string, error) {
	switch e {
	case Float32, Float64, BytesFloat32, BytesFloat64, PhoenixFloat, PhoenixDouble:
		return e.readFloat(b), nil
	case BytesBool:
		return readBool(b[0], trueByte)
	case PhoenixBoolean:
		return readBool(b[0], phoenixTrue)
	case Decimal:
		d, _, err := readDecimal(b)
		return d.format(), err
	case UUID:
		return readUUID(b), nil
	case PhoenixDecimal:
		return readPhoenixDecimal(b)
	case PhoenixTimestamp:
		return readPhoenixTimestamp(b)
	}
	return e.readInt(b), nil
}

// unpad leaves one character at least, since no padded value is empty.
func (p *part) unpad(b []byte) []byte {
	char := p.padding()
	if p.padsRight() {
		for len(b) > 1 && b[len(b)-1] == char {
			b = b[:len(b)-1]
		}
		return b
	}
	for len(b) > 1 && b[0] == char {
		b = b[1:]
	}
	return b
}

func unescape(b []byte) []byte {
	for i := 0; i < len(b)-1; i++ {
		if b[i] == '\\' {
			b = slices.Delete(b, i, i+1)
		}
	}
	return b
}

// readable is text as it is where people can read it.
func readable(b []byte) string {
	text := utf8.Valid(b)
	for _, r := range string(b) {
		text = text && (unicode.IsPrint(r) || r == ' ')
	}
	if text {
		return string(b)
	}
	return hexText(b)
}

func hexText(b []byte) string { return "0x" + hex.EncodeToString(b) }
