// Package protobuf reads Protobuf messages in Confluent's wire format, by the schema that a registry holds, into the tree
// of package decode.
//
// What becomes what:
//
//   - A message is an object of its fields, under the names of the .proto, in the order of their declaration. Whole
//     numbers, of 64 bits too, are numbers; float and double are numbers, and text where they are none (NaN, +Inf, -Inf);
//     bytes are bytes; an enum is its name, or the number if its schema has no name for it. A repeated field is an array,
//     a map is an object. Extensions and unknown fields are left out.
//   - A field that is not on the wire: a repeated one or a map is empty; one without presence (a plain scalar of proto3) has
//     its default, as in Kafka Connect's ProtobufConverter; one with presence (a message, optional, a member of a oneof,
//     proto2) is null, or the default that a proto2 schema gives it in words.
//   - Members of a oneof are fields like the others: the one that is set has a value, the others are null.
//   - The wrappers (google.protobuf.Int64Value and so on) are the value in them, or null. Struct, Value and ListValue are
//     the JSON that they stand for. Timestamp is text of RFC 3339 in UTC (2026-11-01T12:00:00.5Z has three, six or nine
//     digits for the fraction, or none), Duration text such as 1.500s: both as Protobuf's own JSON has them.
//   - confluent.type.Decimal is a number with all its digits.
package protobuf
