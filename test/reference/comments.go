package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// comments are those of the struct's source. The key of a package is its path.
type comments struct {
	root     string
	packages map[string]map[string]typeComment
}

// typeComment is the comment of a type, and those of its fields by their Go names.
type typeComment struct {
	about  string
	fields fieldComments
}

type fieldComments map[string]string

// of gives the comments of a struct's fields, by their Go names, in the words of the file.
func (c *comments) of(t reflect.Type) (fieldComments, error) {
	raw, err := c.read(t)
	if err != nil {
		return nil, err
	}
	out := fieldComments{}
	before := ""
	for i := range t.NumField() {
		f := t.Field(i)
		about := raw.fields[f.Name]
		if about == "" && regexp.MustCompile(`^\w+ and `+f.Name+`\b`).MatchString(before) {
			about = before // "Cert and Key are PEM files"
		}
		before = about
		out[f.Name] = inKeys(about, t)
	}
	return out, nil
}

// section is the comment of a section's type, for a key that has none of its own.
func (c *comments) section(key string, t reflect.Type) (string, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	raw, err := c.read(t)
	return strings.Replace(raw.about, t.Name(), "`"+key+"`", 1), err
}

func (c *comments) read(t reflect.Type) (typeComment, error) {
	types, ok := c.packages[t.PkgPath()]
	if !ok {
		var err error
		folder := strings.TrimPrefix(t.PkgPath(), "rowmark/")
		if types, err = readPackage(filepath.Join(c.root, folder)); err != nil {
			return typeComment{}, fmt.Errorf("reading the comments of %s: %w", t, err)
		}
		c.packages[t.PkgPath()] = types
	}
	return types[t.Name()], nil
}

func readPackage(folder string) (map[string]typeComment, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	out := map[string]typeComment{}
	for _, name := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.TypeSpec)
				if st, ok := s.Type.(*ast.StructType); ok {
					out[s.Name.Name] = typeComment{plain(g.Doc), readFields(st)}
				}
			}
		}
	}
	return out, nil
}

func readFields(st *ast.StructType) fieldComments {
	out := fieldComments{}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			if out[name.Name] = plain(f.Doc); f.Doc == nil {
				out[name.Name] = plain(f.Comment)
			}
		}
	}
	return out
}

func plain(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }

var (
	// pointers lead readers of the source to other parts of it.
	pointers = regexp.MustCompile(`[,;:] see (package )?\w+(\.\w+)?\b| See [A-Z]\w+\.`)
	names    = regexp.MustCompile(`\b[A-Z]\w*\b(\.\w)?`)
	humps    = regexp.MustCompile(`[a-z][A-Z]`)
)

// inKeys puts the keys of the file in place of the names of the struct's fields.
func inKeys(about string, t reflect.Type) string {
	about = pointers.ReplaceAllString(about, "")
	first := true
	return names.ReplaceAllStringFunc(about, func(word string) string {
		leads := first
		first = false
		f, ok := t.FieldByName(word)
		key := f.Tag.Get("yaml")
		// ZooKeeper is also the name of a thing, outside the beginning.
		if !ok || key == "" || key == "-" || !leads && humps.MatchString(word) && !strings.Contains(key, "_") {
			return word
		}
		return "`" + key + "`"
	})
}
