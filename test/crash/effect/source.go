package effect

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Current reads the effects off the source of the module that the working directory lies in.
func Current() (*Registry, error) {
	dir, err := CoreDir()
	if err != nil {
		return nil, err
	}
	src, err := Load(dir)
	if err != nil {
		return nil, err
	}
	return Check(src)
}

// CoreDir finds connector/core of the module that the working directory lies in.
func CoreDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the source of the core: %w", err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module rowmark\n") {
			return filepath.Join(dir, "connector", "core"), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("finding the source of the core: no go.mod of module rowmark above the working directory; run this inside the module")
		}
		dir = up
	}
}

// Source is a package of the core, parsed and checked as far as its own types go.
type Source struct{ scope *types.Scope }

// Load reads the Go files of a folder, tests left out. More is further text, as if it were a file of the folder.
func Load(dir string, more ...string) (*Source, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	add := func(name string, text any) error {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parsing the source of the core: %w", err)
		}
		files = append(files, f)
		return nil
	}
	names, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			if err := add(filepath.Join(dir, name), nil); err != nil {
				return nil, err
			}
		}
	}
	if files == nil {
		return nil, fmt.Errorf("reading %s: no Go files", dir)
	}
	for i, text := range more {
		if err := add(fmt.Sprintf("more%d.go", i), text); err != nil {
			return nil, err
		}
	}
	// What the package imports is not looked at: which of its types are Actions is told by its own methods.
	conf := types.Config{Importer: blind{}, Error: func(error) {}}
	pkg, _ := conf.Check("rowmark/connector/core", fset, files, nil)
	if pkg == nil {
		return nil, fmt.Errorf("checking %s: no package", dir)
	}
	return &Source{pkg.Scope()}, nil
}

// blind gives an empty package for every import.
type blind struct{}

func (blind) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, filepath.Base(path))
	pkg.MarkComplete()
	return pkg, nil
}

// Actions gives the types that are an Action, by value or by pointer, also those that become one by embedding.
func (s *Source) Actions() ([]string, error) {
	obj := s.scope.Lookup("Action")
	if obj == nil {
		return nil, errors.New("the core has no type Action")
	}
	iface, ok := obj.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() != 1 {
		return nil, errors.New("the core's Action is no interface with one method")
	}
	method := iface.Method(0)
	var out []string
	for _, name := range s.scope.Names() {
		tn, ok := s.scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		// Not types.Implements: it takes a type that embeds one of an import, which is unknown here, for anything.
		if has := types.NewMethodSet(types.NewPointer(tn.Type())); has.Lookup(method.Pkg(), method.Name()) != nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Constants gives the constants of a type by value, the common beginning of their names cut off.
func (s *Source) Constants(typeName string) map[int64]string {
	out := map[int64]string{}
	for _, name := range s.scope.Names() {
		c, ok := s.scope.Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		if n, ok := c.Type().(*types.Named); !ok || n.Obj().Name() != typeName {
			continue
		}
		if v, exact := constant.Int64Val(c.Val()); exact {
			out[v] = strings.ToLower(strings.TrimPrefix(name, strings.TrimSuffix(typeName, "Kind")))
		}
	}
	return out
}
