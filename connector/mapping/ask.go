package mapping

import (
	"errors"

	"rowmark/connector/decode"
)

// MapAsking is Map that has ask called for what a format needs, such as a schema, until the record can be read. An error
// of ask ends it.
func (s *Set) MapAsking(rec decode.Record, ask func(*decode.Later) error) (Result, error) {
	for {
		res := s.Map(rec)
		if res.Err == nil {
			return res, nil
		}
		later := laterOf(res.Err)
		if later == nil {
			return res, nil
		}
		if err := ask(later); err != nil {
			return Result{}, err
		}
	}
}

func laterOf(err error) *decode.Later {
	var later *decode.Later
	errors.As(err, &later)
	return later
}
