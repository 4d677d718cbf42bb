package mapping

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"rowmark/rowkey"
)

// splits gives the split points that are listed, or else those of the row key, which is nil if it has problems.
func (c *compiler) splits(s *Spec, row *rowkey.Key) [][]byte {
	switch {
	case len(s.Splits) > 0:
		if len(s.RowKey) > 0 && s.RowKey[0].Presplit != 0 {
			c.bad(".splits", "", "the row key has presplit: take one of the two")
		}
		return c.listedSplits(s.Splits)
	case row != nil:
		return row.Splits()
	}
	return nil
}

func (c *compiler) listedSplits(listed []string) [][]byte {
	seen := map[string]int{}
	var out [][]byte
	for i, text := range listed {
		key := fmt.Sprintf(".splits[%d]", i)
		split, err := parseSplit(text)
		if err != nil {
			c.bad(key, text, "%v", err)
			continue
		}
		if first, twice := seen[string(split)]; twice {
			c.bad(key, text, "splits[%d] is the same key", first)
			continue
		}
		seen[string(split)] = i
		out = append(out, split)
	}
	return out
}

func parseSplit(text string) ([]byte, error) {
	split := []byte(text)
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		var err error
		if split, err = hex.DecodeString(digits); err != nil {
			return nil, errors.New("behind 0x stand pairs of hex digits, as in 0x80ff")
		}
	}
	if len(split) == 0 || len(split) > rowkey.MaxLength {
		return nil, fmt.Errorf("a split has 1 to %d bytes", rowkey.MaxLength)
	}
	return split, nil
}
