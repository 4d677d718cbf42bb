// Package decode turns the bytes of a record's key and value into fields.
package decode
