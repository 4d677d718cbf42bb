package on

import "os"

// Name is the mutant of this process; empty: none.
var Name = os.Getenv("ROWMARK_MUTANT")

// Is says whether this mutant is on.
func Is(mutant string) bool { return Name == mutant }

// Pick gives broken if this mutant is on, else right.
func Pick[T any](mutant string, broken, right T) T {
	if Name == mutant {
		return broken
	}
	return right
}
