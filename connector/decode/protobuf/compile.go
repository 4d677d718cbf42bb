package protobuf

import (
	"context"
	"fmt"
	"strings"

	"rowmark/connector/decode"

	"github.com/bufbuild/protocompile"
)

// mainFile is the name that the schema itself is compiled under. No import is likely to have it.
const mainFile = "the schema.proto"

// compile makes the messages of a schema, in the order of their declaration.
func compile(s *decode.Schema) ([]*message, error) {
	files := map[string]string{mainFile: s.Text}
	references(s, files)
	for name, text := range builtIn() {
		if _, ok := files[name]; !ok {
			files[name] = text
		}
	}
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(files),
	})}
	done, err := c.Compile(context.Background(), mainFile)
	if err != nil {
		return nil, err
	}
	return planner{}.all(done[0].Messages()), nil
}

func references(s *decode.Schema, files map[string]string) {
	for _, r := range s.References {
		if _, ok := files[r.Name]; !ok {
			files[r.Name] = r.Text
			references(r.Schema, files)
		}
	}
}

// builtIn are the files that Confluent's serializers know without a reference: the options in which Kafka Connect keeps
// what a .proto can't say, and its decimal.
func builtIn() map[string]string {
	var meta strings.Builder
	meta.WriteString(`syntax = "proto3"; package confluent; import "google/protobuf/descriptor.proto";
		message Meta { string doc = 1; map<string, string> params = 2; repeated string tags = 3; }`)
	for _, of := range [][2]string{{"File", "file"}, {"Message", "message"}, {"Field", "field"}, {"Enum", "enum"}, {"EnumValue", "enum_value"}} {
		fmt.Fprintf(&meta, "extend google.protobuf.%sOptions { Meta %s_meta = 1088; }\n", of[0], of[1])
	}
	return map[string]string{
		"confluent/meta.proto": meta.String(),
		"confluent/type/decimal.proto": `syntax = "proto3"; package confluent.type;
			message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }`,
	}
}
