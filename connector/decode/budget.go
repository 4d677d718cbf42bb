package decode

import "errors"

// Budget bounds what a record may grow to: by a schema, a few bytes can stand for any number of values, and damaged ones do.
type Budget struct{ left int }

var errMany = errors.New("it stands for far more values than it has bytes")

// NewBudget is that of a record of so many bytes.
func NewBudget(bytes int) Budget { return Budget{1<<20 + 8*bytes} }

// Spend counts values that are about to be built.
func (b *Budget) Spend(values int) error {
	if b.left -= values; b.left < 0 {
		return errMany
	}
	return nil
}
