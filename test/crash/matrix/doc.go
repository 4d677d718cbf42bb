// Package matrix counts the cases and violations of the crash matrix, by effect, instant and batch shape, and prints
// them.
package matrix
