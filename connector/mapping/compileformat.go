package mapping

import (
	"encoding/json"

	"rowmark/connector/decode"
)

// plainFormats are those that are the same for everyone.
var plainFormats = map[string]decode.Format{"raw": decode.Raw, "string": decode.Text, "json": decode.JSON, "json-schema": decode.JSONSchema}

// format gives the format of a key or value. Equal entries give the same one, so that a record is read once for all.
func (c *compiler) format(key string, f *Format) decode.Format {
	if f.Format == "" {
		f.Format = decode.Raw.String()
	}
	said, err := json.Marshal(f)
	if made, ok := c.formats[string(said)]; ok && err == nil {
		*f = made.spec
		return made.format
	}
	faults := len(c.problems)
	format := c.compression(key, f, c.uncompressed(key, f))
	if len(c.problems) == faults {
		c.formats[string(said)] = madeFormat{*f, format}
	}
	return format
}

// madeFormat is a format that was compiled, and its entry with the defaults filled in.
type madeFormat struct {
	spec   Format
	format decode.Format
}

func (c *compiler) uncompressed(key string, f *Format) decode.Format {
	if f.Format == "csv" || f.Format == "tsv" {
		return c.separated(key, f)
	}
	c.notSeparated(key, f)
	if f.Format == "connect" {
		return decode.Connect()
	}
	if format, ok := c.schemaFormat(key, f); ok {
		return format
	}
	format, ok := plainFormats[f.Format]
	if !ok {
		c.bad(key+".format", f.Format, "one of avro, connect, csv, json, json-schema, protobuf, raw, string, tsv")
		return decode.JSON // so that paths into it are no further faults
	}
	if f.Events == "canal" {
		return decode.WithArrays(format)
	}
	return format
}

func (c *compiler) compression(key string, f *Format, format decode.Format) decode.Format {
	switch f.Compression {
	case "", "none":
		f.Compression = ""
		return format
	case "gzip":
		return decode.Gzip(format)
	case "auto":
		return decode.AutoGzip(format)
	}
	c.bad(key+".compression", f.Compression, "one of none, gzip, auto")
	return format
}
