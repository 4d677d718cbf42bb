package mapping

import (
	"maps"
	"slices"

	"rowmark/connector/decode"
)

var formats = map[string]decode.Format{"raw": decode.Raw, "string": decode.Text, "json": decode.JSON}

func (c *compiler) format(key string, f *Format) decode.Format {
	if f.Format == "" {
		f.Format = decode.Raw.String()
	}
	format, ok := formats[f.Format]
	if !ok {
		c.bad(key+".format", f.Format, "one of %s", list(slices.Sorted(maps.Keys(formats))))
		return decode.JSON // so that paths into it are no further faults
	}
	return format
}
