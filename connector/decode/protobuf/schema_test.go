package protobuf

import (
	"os"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/registry/registrytest"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func testdata(tb testing.TB, name string) string {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// shop has shop.proto and old.proto.
func shop(tb testing.TB) registrytest.Shelf {
	size := &decode.Schema{Kind: decode.ProtobufSchema, Text: testdata(tb, "size.proto")}
	return registrytest.Shelf{
		1: {Kind: decode.ProtobufSchema, Text: testdata(tb, "shop.proto"), References: []decode.Reference{{Name: "common/size.proto", Schema: size}}},
		2: {Kind: decode.ProtobufSchema, Text: testdata(tb, "old.proto")},
		3: {Kind: decode.ProtobufSchema, Text: `syntax = "proto3"; message A { message B {} message C { message D { int32 n = 1; } int32 c = 1; } int32 a = 1; } message E { int32 e = 1; }`},
		4: {Kind: decode.ProtobufSchema, Text: `syntax = "proto3"; message A { Nothing n = 1; }`},
		5: {Kind: decode.AvroSchema, Text: `"int"`},
		6: {Kind: decode.ProtobufSchema, Text: `syntax = "proto3"; enum A { B = 0; }`},
	}
}

// descriptor gives a message's descriptor for Protobuf's own Go library, which is the witness here.
func descriptor(tb testing.TB, file string, name protoreflect.Name) protoreflect.MessageDescriptor {
	files := builtIn()
	files["common/size.proto"], files["shop.proto"], files["old.proto"] = testdata(tb, "size.proto"), testdata(tb, "shop.proto"), testdata(tb, "old.proto")
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(files)})}
	done, err := c.Compile(tb.Context(), file)
	if err != nil {
		tb.Fatal(err)
	}
	return done[0].Messages().ByName(name)
}

// framed puts the front of a Confluent serializer before a message: the zero byte, the schema's id, and 0 for the first
// message of the file, or other indexes.
func framed(id byte, body []byte, indexes ...byte) []byte {
	if indexes == nil {
		indexes = []byte{0}
	}
	return append(append([]byte{0, 0, 0, 0, id}, indexes...), body...)
}
