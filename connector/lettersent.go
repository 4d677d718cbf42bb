package connector

import (
	"sync"

	"rowmark/hbase"
)

// sentMost bounds the letters that are remembered, each by its row key.
const sentMost = 10_000

// sentLetters are the letters that the topic has and whose rows are not known to be written: an attempt at these rows need
// not produce them again. It only spares copies, so that it may forget.
type sentLetters struct {
	mu   sync.Mutex
	rows map[string]bool
}

func (s *sentLetters) has(row []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[string(row)]
}

func (s *sentLetters) add(row []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows == nil || len(s.rows) >= sentMost {
		s.rows = map[string]bool{}
	}
	s.rows[string(row)] = true
}

// settle takes the outcome of a row's write.
func (s *sentLetters) settle(row []byte, res hbase.WriteResult) {
	if res.Outcome == hbase.Applied || res.Outcome == hbase.Refused && res.Err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.rows, string(row))
	}
}
