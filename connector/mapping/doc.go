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
//   - A wildcard (fields: "value.*") makes one column of each member of an object. Objects and arrays in it become
//     JSON text, or, by path, columns of their own; one that is empty makes none, and one that is null is a null column
//     of its own name.
//   - A qualifier with fields in it (to: "d:day_${value.day}") is filled in only if there is something to write. A field
//     in it that is missing, null, empty, an object or an array is an error, unless a default is given.
//   - A value is changed (trim, substring, upper, lower, date) before it is encoded. Missing and null values are not
//     changed; a default stands for them, and then neither leaves the column alone nor follows on_null. What is larger
//     than these steps belongs upstream of the topic: Kafka Streams, SQL, transforms of Kafka Connect.
//   - A time that a zone's clock shows twice or never (daylight saving) is read as Go's package time does.
//   - Two rules that could write one column of one record are refused at the start: a template may make any text between
//     its literal ends, a wildcard any name that it does not leave out.
//
// With change events (value: {events: …}) a value tells of no, one or several changes of rows, each mapped by itself:
// value is the row after the change, and of a delete the row before it; before is the row before it; event is the
// whole. An update between rows of different keys deletes the one and puts the other.
//
// A record whose value is null is a tombstone: on_tombstone says whether it deletes the row or is passed.
package mapping
