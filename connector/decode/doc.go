// Package decode turns the bytes of a record's key and value into fields. It knows Kafka's record as a struct of
// bytes and coordinates, and nothing of tables.
//
// A Format reads bytes into a tree of values. Events read from such a tree what changed in a database.
//
// What it gives aliases the record's bytes, or those that were decompressed: keep the record for as long as its
// fields. Missing, null and empty are three things; a null record key or value is Absent, which is none of them.
package decode
