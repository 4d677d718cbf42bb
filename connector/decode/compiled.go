package decode

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
)

// Compiled keeps what a format made of each schema, so that it is made once. It is safe for concurrent use.
type Compiled[T any] struct {
	schemas Schemas
	kind    SchemaKind
	compile func(*Schema) (T, error)
	mu      sync.Mutex // of the writers
	made    atomic.Pointer[map[uint32]compiled[T]]
}

type compiled[T any] struct {
	made T
	err  error
}

// NewCompiled takes schemas of one kind, and what makes something of each.
func NewCompiled[T any](schemas Schemas, kind SchemaKind, compile func(*Schema) (T, error)) *Compiled[T] {
	c := &Compiled[T]{schemas: schemas, kind: kind, compile: compile}
	c.made.Store(&map[uint32]compiled[T]{})
	return c
}

// Of gives what was made of a schema, or a *Later.
func (c *Compiled[T]) Of(id uint32) (T, error) {
	if m, ok := (*c.made.Load())[id]; ok {
		return m.made, m.err
	}
	return c.make(id)
}

func (c *Compiled[T]) make(id uint32) (T, error) {
	var m compiled[T]
	s, err := c.schemas.Schema(id)
	switch {
	case err != nil:
		return m.made, err // it may be known the next time
	case s.Kind != c.kind:
		m.err = fmt.Errorf("schema %d is of type %s, and not %s", id, s.Kind, c.kind)
	default:
		if m.made, m.err = c.compile(s); m.err != nil {
			m.err = fmt.Errorf("reading schema %d: %w", id, m.err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next := maps.Clone(*c.made.Load())
	next[id] = m
	c.made.Store(&next)
	return m.made, m.err
}
