package mapping

import (
	"bytes"
	"strings"
)

// glob is a name in which each * stands for any text; without one, a name.
type glob [][]byte

func newGlob(text string) glob {
	var g glob
	for part := range strings.SplitSeq(text, "*") {
		g = append(g, []byte(part))
	}
	return g
}

func (g glob) matches(name []byte) bool {
	first, last := g[0], g[len(g)-1]
	if len(g) == 1 {
		return bytes.Equal(first, name)
	}
	if len(name) < len(first)+len(last) || !bytes.HasPrefix(name, first) || !bytes.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range g[1 : len(g)-1] {
		i := bytes.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return true
}

// pattern is a path of globs below what a wildcard takes.
type pattern []glob

// takes says whether the pattern names a path, or something that it lies in.
func (p pattern) takes(path [][]byte) bool { return len(path) >= len(p) && p.meets(path) }

// leads says whether what the pattern names may lie below a path.
func (p pattern) leads(path [][]byte) bool { return len(path) < len(p) && p.meets(path) }

func (p pattern) meets(path [][]byte) bool {
	for i := range min(len(p), len(path)) {
		if !p[i].matches(path[i]) {
			return false
		}
	}
	return true
}
