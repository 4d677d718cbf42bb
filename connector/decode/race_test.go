//go:build race

package decode_test

// The race detector drops some of what is pooled.
func init() { countable = false }
