// Package avro reads Avro's binary encoding, by the schema that it was written with, into the tree of package decode.
//
// What becomes what:
//
//   - int and long are numbers; float and double are numbers with as many digits as tell them from their neighbours, and
//     text where they are none (NaN, +Inf, -Inf). string and enum are text; bytes and fixed are bytes; record and map are
//     objects; array is an array; a union is the value of its branch.
//   - decimal, on bytes and on fixed, is a number with all its digits, as many of them behind the point as its scale says.
//   - date, time-millis, time-micros, timestamp-* and local-timestamp-* stay the numbers that Avro holds: days since 1970,
//     milliseconds, microseconds or nanoseconds since midnight or since 1970.
//   - uuid is text, also on fixed(16); duration is an object of months, days and milliseconds.
//   - Another logical type, or one on a type that it does not belong to, is not looked at, as Avro demands.
package avro
