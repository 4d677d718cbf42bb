package mapping

import (
	"errors"
	"fmt"
	"slices"

	"rowmark/rowkey"
)

var errSeveralKeys = errors.New("several mappings write rows of this table, and the key may be of more than one")

// Explain splits a row key of a table, as the mappings of a topic make it, into its parts. Where several could have
// made it, or none, that is an error: it never guesses.
func (s *Set) Explain(topic, table string, row []byte) ([]rowkey.PartValue, error) {
	var found []rowkey.PartValue
	err := fmt.Errorf("no mapping writes records of %s to %s", topic, table)
	for _, r := range s.plan(topic).rules {
		if !r.mayWrite(table) {
			continue
		}
		parts, why := r.row.Explain(row)
		switch {
		case why != nil && found == nil:
			err = why
		case why != nil:
		case found != nil && !sameParts(found, parts):
			return nil, errSeveralKeys
		default:
			found, err = parts, nil
		}
	}
	return found, err
}

func sameParts(a, b []rowkey.PartValue) bool {
	return slices.EqualFunc(a, b, func(p, q rowkey.PartValue) bool { return p.Name == q.Name && p.Text == q.Text })
}
