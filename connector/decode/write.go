package decode

import "encoding/base64"

// AppendJSON adds a value as JSON: a JSON record's own text; of others without spaces, bytes in base64.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind {
	case Bool:
		if v.True {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case Number:
		return append(dst, v.Text...)
	case String:
		return appendText(dst, v.Text)
	case Bytes:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v.Text)
		return append(dst, '"')
	case Object, Array:
		if v.Text != nil {
			return append(dst, v.Text...)
		}
		return v.appendTree(dst)
	}
	return append(dst, "null"...)
}

func (v Value) appendTree(dst []byte) []byte {
	begin, end := byte('{'), byte('}')
	if v.Kind == Array {
		begin, end = '[', ']'
	}
	dst = append(dst, begin)
	t := v.tree
	for i := v.node + 1; i < t.nodes[v.node].end; i = t.nodes[i].end {
		if i > v.node+1 {
			dst = append(dst, ',')
		}
		if v.Kind == Object {
			dst = append(appendText(dst, t.bytes(t.nodes[i].key)), ':')
		}
		dst = t.value(i).AppendJSON(dst)
	}
	return append(dst, end)
}

const hexDigits = "0123456789abcdef"

// appendText adds UTF-8 text as a JSON string, escaping no more than must be (RFC 8259).
func appendText(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
