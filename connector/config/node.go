package config

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	mapNode
	listNode
	nullNode
)

// node is a YAML value with its place. What an Override sets has an origin in place of a line.
type node struct {
	kind    nodeKind
	text    string
	boolean bool // of a scalar: true or false, not quoted
	line    int
	origin  string
	entries []entry
	items   []*node
}

type entry struct {
	key  string
	line int
	val  *node
}

func (n *node) get(key string) *node {
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].val
		}
	}
	return nil
}

func (n *node) what() string {
	switch n.kind {
	case mapNode:
		return "a section"
	case listNode:
		return "a list"
	case nullNode:
		return "nothing"
	}
	return "a single value"
}

// reader turns go-yaml's tree into nodes.
type reader struct {
	file     string
	problems Problems
	anchors  map[string]*node
}

func (r *reader) bad(line int, key, text string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Key: key, Text: fmt.Sprintf(text, args...)})
}

// read parses the file. The problems hold no excerpt of it.
func (r *reader) read(data []byte) *node {
	if !utf8.Valid(data) {
		r.bad(0, "", "the file is not UTF-8")
		return nil
	}
	f, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, text := 0, "the file is no YAML"
		var e *yaml.SyntaxError
		if errors.As(err, &e) {
			text += ": " + e.Message
			if e.Token != nil && e.Token.Position != nil {
				line = e.Token.Position.Line
			}
		}
		r.bad(line, "", "%s", text)
		return nil
	}
	var body ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			r.bad(lineOf(doc.Body), "", "the file holds more than one document")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		return &node{kind: mapNode}
	}
	root := r.node("", body)
	if root.kind != mapNode {
		r.bad(root.line, "", "the file holds %s, and not sections", root.what())
		return nil
	}
	return root
}

func lineOf(n ast.Node) int {
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		return tk.Position.Line
	}
	return 0
}

func (r *reader) node(path string, n ast.Node) *node {
	out := &node{line: lineOf(n)}
	switch n := n.(type) {
	case ast.MapNode:
		r.entries(path, n, out)
	case *ast.SequenceNode:
		out.kind = listNode
		for i, item := range n.Values {
			if text, ok := plainPair(item); ok {
				out.items = append(out.items, &node{line: lineOf(item), text: text})
				continue
			}
			out.items = append(out.items, r.node(fmt.Sprintf("%s[%d]", path, i), item))
		}
	case *ast.NullNode:
		out.kind = nullNode
	case *ast.BoolNode:
		out.text, out.boolean = n.GetToken().Value, true
	case *ast.StringNode:
		out.text = n.Value
	case *ast.LiteralNode:
		out.text = n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.text = n.GetToken().Value
	case *ast.AnchorNode:
		out = r.node(path, n.Value)
		r.anchors[n.Name.String()] = out
	case *ast.AliasNode:
		name := n.Value.String()
		known, ok := r.anchors[name]
		if !ok {
			r.bad(out.line, path, "no anchor &%s stands above", name)
			out.kind = nullNode
			break
		}
		return known
	default:
		r.bad(out.line, path, "tags are not known here")
		out.kind = nullNode
	}
	return out
}

// plainPair gives the text of a list's item such as host:9092, which the parser takes for a pair where the list lies
// in braces. To YAML it is one value: a colon parts a pair only with a space after it, or after a quoted key.
func plainPair(n ast.Node) (string, bool) {
	m, ok := n.(*ast.MappingNode)
	if !ok || m.IsFlowStyle || len(m.Values) != 1 {
		return "", false
	}
	pair := m.Values[0]
	key, colon, val := pair.Key.GetToken(), pair.Start, pair.Value.GetToken()
	if _, scalar := pair.Value.(ast.ScalarNode); !scalar || quoted(key) || quoted(val) ||
		key.Position.Line != val.Position.Line || val.Position.Column != colon.Position.Column+1 {
		return "", false
	}
	return key.Value + ":" + val.Value, true
}

func quoted(t *token.Token) bool {
	return t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
}

func (r *reader) entries(path string, n ast.MapNode, out *node) {
	out.kind = mapNode
	seen := map[string]int{}
	for it := n.MapRange(); it.Next(); {
		line := lineOf(it.Key())
		if _, merge := it.Key().(*ast.MergeKeyNode); merge {
			r.bad(line, path, "merge keys (<<) are not known here: write the settings out, or share a whole section by an alias")
			continue
		}
		key := it.Key().GetToken().Value
		at := join(path, key)
		if first, ok := seen[key]; ok {
			r.bad(line, at, "the key stands twice, first in line %d", first)
			continue
		}
		seen[key] = line
		out.entries = append(out.entries, entry{key, line, r.node(at, it.Value())})
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
