package rowkey

import (
	"errors"
	"fmt"
	"strings"
)

// Root is where a reference starts.
type Root uint8

// Roots.
const (
	RootValue Root = iota
	RootKey
	RootTopic
	RootPartition
	RootOffset
	RootTimestamp
	RootHeader
	RootBefore // the row as it was before a change event
	RootEvent  // the whole of a change event
)

var roots = map[string]Root{
	"value": RootValue, "key": RootKey, "topic": RootTopic, "partition": RootPartition,
	"offset": RootOffset, "timestamp": RootTimestamp, "header": RootHeader,
	"before": RootBefore, "event": RootEvent,
}

// Ref names a field: a root, and below value, key, before and event a path of object keys. A header's name is the whole of the
// path, dots included.
type Ref struct {
	Root Root
	Path []string
	text string
}

func (r *Ref) String() string { return r.text }

// ParseRef reads a dotted path such as value.customer.id, key, offset or header.trace.id. In
// paths a dot or backslash that belongs to an object's key is written with a backslash before it.
func ParseRef(s string) (Ref, error) {
	head, rest, more := strings.Cut(s, ".")
	root, ok := roots[head]
	if !ok {
		return Ref{}, fmt.Errorf("a field starts with value, key, topic, partition, offset, timestamp, header, before or event, as in value.%s", head)
	}
	r := Ref{Root: root, text: s}
	switch root {
	case RootHeader:
		if rest == "" {
			return Ref{}, errors.New("a header needs its name, as in header.name")
		}
		r.Path = []string{rest}
	case RootValue, RootKey, RootBefore, RootEvent:
		if more {
			path, err := splitPath(rest)
			if err != nil {
				return Ref{}, err
			}
			r.Path = path
		}
	default:
		if more {
			return Ref{}, fmt.Errorf("%s has no fields", head)
		}
	}
	return r, nil
}

func splitPath(s string) ([]string, error) {
	var path []string
	var b strings.Builder
	n := 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == '.':
			if n == 0 {
				return nil, errors.New("a path has no empty steps")
			}
			path = append(path, b.String())
			b.Reset()
			n = 0
		case s[i] == '\\':
			i++
			if i == len(s) || s[i] != '.' && s[i] != '\\' {
				return nil, errors.New(`in a path a backslash stands before a dot or a backslash`)
			}
			b.WriteByte(s[i])
			n++
		default:
			b.WriteByte(s[i])
			n++
		}
	}
	return path, nil
}
