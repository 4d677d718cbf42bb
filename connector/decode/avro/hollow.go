package avro

// hollow finds the types whose values have no bytes: a few bytes of data could say that an array holds any number of them.
func hollow(s *schema, seen map[*schema]bool) int {
	if seen[s] {
		return s.hollow
	}
	seen[s] = true
	switch s.kind {
	case fixedKind:
		if s.size == 0 {
			s.hollow = 1
		}
	case recordKind:
		s.hollow = hollowRecord(s, seen)
	case arrayKind, mapKind:
		hollow(s.item, seen)
	case unionKind:
		for _, m := range s.members {
			hollow(m, seen)
		}
	}
	return s.hollow
}

func hollowRecord(s *schema, seen map[*schema]bool) int {
	n, full := 1, false
	for _, f := range s.fields {
		values := hollow(f.schema, seen)
		full = full || values == 0
		n = min(n+values, maxHollow+1)
	}
	if full {
		return 0
	}
	return n
}
