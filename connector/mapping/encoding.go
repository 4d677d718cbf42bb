package mapping

import (
	"strings"

	"rowmark/rowkey"
)

var encodings = map[string]rowkey.Encoding{
	"": rowkey.String, "string": rowkey.String, "hex": rowkey.Hex, "bool": rowkey.BytesBool,
	"int8": rowkey.BytesInt8, "int16": rowkey.BytesInt16, "int32": rowkey.BytesInt32, "int64": rowkey.BytesInt64,
	"float32": rowkey.BytesFloat32, "float64": rowkey.BytesFloat64,
	"decimal": rowkey.BytesDecimal,
}

// encodingNames lists what ParseEncoding knows.
var encodingNames = func() string {
	var names []string
	for name := range strings.SplitSeq(rowkey.EncodingNames, ", ") {
		if _, ok := ParseEncoding(name); ok {
			names = append(names, name)
		}
	}
	return strings.Join(append(names, "bool"), ", ")
}()

// ParseEncoding gives the encoding of a column. The numbers are those of HBase's Bytes.toBytes, with or without
// the prefix bytes_: a cell is read by its clients, and need not sort. The phoenix_ names are the types of Phoenix's
// columns.
func ParseEncoding(name string) (rowkey.Encoding, bool) {
	if e, ok := encodings[name]; ok {
		return e, true
	}
	e, ok := rowkey.ParseEncoding(name)
	forms := e >= rowkey.BytesInt8 || strings.HasPrefix(name, "phoenix_")
	return e, ok && forms && e != rowkey.PhoenixChar // which needs a width
}
