// Package on tells broken code whether it is the one to be broken. Only overlays that test/mutants makes import it:
// no build without an overlay carries a mutant.
package on
