package decode

import "strings"

// placeError is an error with the path that leads to it.
type placeError struct {
	path string
	err  error
}

func (p *placeError) Error() string { return "at " + p.path + ": " + p.err.Error() }
func (p *placeError) Unwrap() error { return p.err }

// Below adds to the front of an error's place: a field of the schema, [3] of an element, [*] of a map's entry, whose key
// is content and not shown.
func Below(step string, err error) error {
	p, ok := err.(*placeError)
	switch {
	case !ok:
		return &placeError{step, err}
	case strings.HasPrefix(p.path, "["):
		p.path = step + p.path
	default:
		p.path = step + "." + p.path
	}
	return p
}
