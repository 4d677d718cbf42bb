import com.google.protobuf.*;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.util.JsonFormat;
import java.util.HexFormat;

/**
 * Writes messages of golden.proto with Protobuf's own Java classes, and prints for each a line of tabs: its bytes, and the
 * same message as JSON.
 *
 * java -cp CLASSPATH-OF-com.google.protobuf:protobuf-java-util:4.36.2 ProtobufGolden.java > protobuf.golden
 */
public class ProtobufGolden {
  static final String ENTRY = " options { map_entry: true }";

  // What golden.proto says, as its compiler has it.
  static final String FILE =
      "name: 'golden.proto' package: 'golden' syntax: 'proto3'"
          + " dependency: 'google/protobuf/duration.proto' dependency: 'google/protobuf/struct.proto'"
          + " dependency: 'google/protobuf/timestamp.proto' dependency: 'google/protobuf/wrappers.proto'"
          + " enum_type { name: 'Size' value { name: 'UNSET' number: 0 } value { name: 'LARGE' number: 5 } }"
          + " message_type { name: 'Item'" + field("sku", 1, "STRING") + field("count", 2, "SINT32") + " }"
          + " message_type { name: 'All'"
          + field("i32", 1, "INT32") + field("i64", 2, "INT64") + field("u32", 3, "UINT32") + field("u64", 4, "UINT64")
          + field("s32", 5, "SINT32") + field("s64", 6, "SINT64") + field("f32", 7, "FIXED32") + field("f64", 8, "FIXED64")
          + field("sf32", 9, "SFIXED32") + field("sf64", 10, "SFIXED64") + field("fl", 11, "FLOAT") + field("db", 12, "DOUBLE")
          + field("b", 13, "BOOL") + field("text", 14, "STRING") + field("data", 15, "BYTES") + of("size", 16, "ENUM", "golden.Size")
          + of("item", 17, "MESSAGE", "golden.Item") + list(field("numbers", 18, "INT64")) + list(of("items", 19, "MESSAGE", "golden.Item"))
          + list(of("counts", 20, "MESSAGE", "golden.All.CountsEntry")) + list(of("by_number", 21, "MESSAGE", "golden.All.ByNumberEntry"))
          + of("at", 22, "MESSAGE", "google.protobuf.Timestamp") + of("took", 23, "MESSAGE", "google.protobuf.Duration")
          + of("wrapped", 24, "MESSAGE", "google.protobuf.Int64Value") + of("tree", 25, "MESSAGE", "google.protobuf.Struct")
          + " nested_type { name: 'CountsEntry'" + field("key", 1, "STRING") + field("value", 2, "INT64") + ENTRY + " }"
          + " nested_type { name: 'ByNumberEntry'" + field("key", 1, "INT32") + of("value", 2, "MESSAGE", "golden.Item") + ENTRY + " } }";

  static final String[] MESSAGES = {
    "",
    "i32: -1 i64: -9223372036854775808 u32: 4294967295 u64: 18446744073709551615 s32: -2147483648 s64: -1",
    "i32: 2147483647 i64: 9223372036854775807 s32: 2147483647 s64: 9223372036854775807",
    "f32: 4294967295 f64: 18446744073709551615 sf32: -1 sf64: -9223372036854775808",
    "fl: 0.1 db: 0.1 b: true text: 'größer' data: '\\000\\377\\200' size: LARGE",
    "fl: -2.5 db: -12.5 size: 77",
    "item { sku: 'a' count: -3 } items { } items { sku: 'b' }",
    "numbers: 1 numbers: -1 numbers: 9223372036854775807",
    "counts { key: 'a' value: 5 } counts { key: '' value: 0 } by_number { key: -7 value { sku: 'x' } } by_number { key: 0 value { } }",
    "at { seconds: 1700000000 nanos: 500000000 } took { seconds: -1 nanos: -500000000 }",
    "at { seconds: -62135596800 } took { seconds: 3 nanos: 7 }",
    "at { seconds: 253402300799 nanos: 999999999 } took { }",
    "wrapped { } tree { }",
    "wrapped { value: -5 } tree { fields { key: 'a' value { list_value { values { number_value: 1.5 } values { bool_value: true } } } }"
        + " fields { key: 'b' value { struct_value { fields { key: 'c' value { string_value: 'd' } } } } } }",
  };

  public static void main(String[] args) throws Exception {
    FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
    TextFormat.merge(FILE, file);
    Descriptors.FileDescriptor[] imports = {DurationProto.getDescriptor(), StructProto.getDescriptor(), TimestampProto.getDescriptor(), WrappersProto.getDescriptor()};
    Descriptors.Descriptor all = Descriptors.FileDescriptor.buildFrom(file.build(), imports).findMessageTypeByName("All");
    JsonFormat.Printer json = JsonFormat.printer().preservingProtoFieldNames().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();
    for (String text : MESSAGES) {
      DynamicMessage.Builder m = DynamicMessage.newBuilder(all);
      TextFormat.Parser.newBuilder().build().merge(text, m);
      System.out.println(HexFormat.of().formatHex(m.build().toByteArray()) + "\t" + json.print(m));
    }
  }

  static String field(String name, int number, String type) {
    return " field { name: '" + name + "' number: " + number + " label: LABEL_OPTIONAL type: TYPE_" + type + " }";
  }

  static String of(String name, int number, String type, String of) {
    return field(name, number, type).replace(" }", " type_name: '." + of + "' }");
  }

  static String list(String field) { return field.replace("OPTIONAL", "REPEATED"); }
}
