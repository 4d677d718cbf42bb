// Package mapping turns a record's fields into row mutations, by the tables section of the YAML. It is a pure
// function of the record: no clock, no randomness, so that a replay gives the same rows.
package mapping
