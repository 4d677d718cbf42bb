package mapping

import (
	"rowmark/connector/decode"
	"rowmark/connector/decode/avro"
	"rowmark/connector/decode/protobuf"
)

// schemaFormat gives a format that is read by a schema. False: it is another one.
func (c *compiler) schemaFormat(key string, f *Format) (decode.Format, bool) {
	if f.Format == "avro" {
		c.oneOf(key+".framing", &f.Framing, avro.Confluent, avro.SingleObject, avro.None)
	} else if f.Framing != "" {
		c.bad(key+".framing", f.Framing, "it belongs to format: avro")
	}
	file := f.Format == "avro" && f.Framing != avro.Confluent
	switch {
	case file && f.SchemaText == "":
		c.bad(key+".schema", f.Schema, "with framing: %s it is needed, the file of the schema that the records were written with", f.Framing)
		return decode.JSON, true // so that paths into it are no further faults
	case !file && f.Schema != "":
		c.bad(key+".schema", f.Schema, "it belongs to format: avro with framing: single-object or none")
	}
	switch {
	case file:
		format, err := avro.NewFixed(f.SchemaText, f.Framing)
		if err != nil {
			c.bad(key+".schema", f.Schema, "%v", err)
			return decode.JSON, true
		}
		return format, true
	case f.Format != "avro" && f.Format != "protobuf":
		return nil, false
	case c.opt.Schemas == nil:
		c.bad(key+".format", f.Format, "it needs a schema registry: set schema_registry.urls")
		return decode.JSON, true
	case f.Format == "avro":
		return avro.NewConfluent(c.opt.Schemas), true
	}
	return protobuf.New(c.opt.Schemas), true
}
