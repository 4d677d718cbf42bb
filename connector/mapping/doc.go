// Package mapping turns a record's fields into row mutations, by the tables section of the YAML. It is a pure
// function of the record, and of the schemas that it names, which never change: no clock, no randomness, so that a replay
// gives the same rows.
//
// What Map returns aliases the record's bytes and the compiled mapping: keep the record until the rows are
// written, and change nothing in place.
//
// How fields become cells:
//
//   - A missing field leaves its column alone. A null follows on_null: skip, delete (the column), or empty (a
//     cell without bytes). An increment or append passes nulls over, whatever on_null says.
//   - A step of a path through a null is null; a step into anything else that is no object is missing.
//   - Without as, a field is written as text: numbers with the digits they have, booleans as true or false,
//     objects and arrays as the JSON text of the record, spaces included.
//   - In columns the integer, float and decimal encodings are those of HBase's Bytes.toBytes, as other clients read them;
//     in row keys the plain names are the order-preserving forms.
//   - A wildcard (fields: "value.*") makes one column of each member of an object, as text; it goes one level
//     deep, so nested objects and arrays become JSON text.
//
// With change events (value: {events: …}) a value tells of no, one or several changes of rows, each mapped by itself:
// value is the row after the change, and of a delete the row before it; before is the row before it; event is the
// whole. An update between rows of different keys deletes the one and puts the other.
//
// A record whose value is null is a tombstone: on_tombstone says whether it deletes the row or is passed.
package mapping
