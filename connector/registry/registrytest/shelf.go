package registrytest

import (
	"context"
	"errors"

	"rowmark/connector/decode"
)

// Shelf is a registry without a server: what it holds is known at once, and all else is for later.
type Shelf map[uint32]*decode.Schema

// ErrNotHeld is why something is for later.
var ErrNotHeld = errors.New("not asked yet")

// Schema makes a Shelf a decode.Schemas.
func (s Shelf) Schema(id uint32) (*decode.Schema, error) {
	if got := s[id]; got != nil {
		return got, nil
	}
	return nil, &decode.Later{Err: ErrNotHeld, Wait: func(context.Context) error { return ErrNotHeld }}
}
