package rebuild

import (
	"fmt"
	"strconv"
	"strings"
)

// Opening says at which offset an incarnation of the log begins.
type Opening struct {
	Incarnation int
	Start       int64
}

// ParseOpening reads INCARNATION@OFFSET, as in 1@0.
func ParseOpening(text string) (*Opening, error) {
	number, offset, ok := strings.Cut(text, "@")
	n, err := strconv.ParseInt(number, 10, 32)
	start, offsetErr := strconv.ParseInt(offset, 10, 64)
	if !ok || err != nil || offsetErr != nil || n < 0 || start < 0 || n == 0 && start > 0 {
		return nil, fmt.Errorf("incarnation %q: write its number and the offset where it begins, as in 1@0", text)
	}
	return &Opening{Incarnation: int(n), Start: start}, nil
}
