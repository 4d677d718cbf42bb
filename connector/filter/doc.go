// Package filter says by an expression whether a record is to be mapped. The language is CEL (Common Expression
// Language): without loops, clock or input of any other kind, so that a replay decides the same.
//
// Names are value and key, as their formats read them, of change events before and event (value is the row then), topic, partition, offset, timestamp (milliseconds), and header,
// as in header["trace-id"] or header.kind: the last header of a name, text where it is UTF-8, else bytes.
//
// How values meet:
//
//   - A whole number is an int, also 12.0 and 1.2e1; between 2^63 and 2^64 it is a uint. Other numbers are doubles, the
//     nearest to what stands in the record. A number that neither holds well (whole and larger, or with a fraction at
//     2^53 and beyond) is an error where it is used, and never rounded in silence.
//   - Numbers compare across the three; arithmetic wants two of one type and never wraps: what overflows is an error.
//   - A field that is missing is an error where it is used, and so is comparing null by order: ask has(value.x), or
//     value.x == null. && and || pass an error over where the other side decides.
//   - Values of different kinds are not equal: "1" == 1 is false.
//   - A value that a change event only says not to have changed is missing.
//   - A record without a value (a tombstone) has the value null.
package filter
