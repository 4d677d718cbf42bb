package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Root is the module's root, seen from this package's folder, where its tests run.
const Root = "../.."

// File is one file of the project, with its path below the root.
type File struct {
	Path string // with slashes
	Text []byte
}

// Test says whether it is a Go test file.
func (f File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Generated says whether its text comes from a program.
func (f File) Generated() bool {
	if !strings.HasSuffix(f.Path, ".go") {
		return path.Base(f.Path) == "go.sum"
	}
	head, _, _ := strings.Cut("\n"+string(f.Text), "\npackage ")
	return slices.ContainsFunc(strings.Split(head, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.")
	})
}

// Files reads the files that git tracks, or, where there is no git, all files outside of folders that begin with a dot.
func Files(root string) ([]File, error) {
	paths, err := tracked(root)
	if err != nil {
		if paths, err = walked(root); err != nil {
			return nil, err
		}
	}
	var files []File
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		if os.IsNotExist(err) {
			continue // tracked, and deleted since
		}
		if err != nil {
			return nil, fmt.Errorf("reading the project's files: %w", err)
		}
		files = append(files, File{Path: p, Text: text})
	}
	return files, nil
}

func tracked(root string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tracked files: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}

func walked(root string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, p)
		switch {
		case err != nil:
			return err
		case relErr != nil:
			return relErr
		case d.IsDir() && rel != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci":
			return fs.SkipDir
		case d.Type().IsRegular():
			paths = append(paths, filepath.ToSlash(rel))
		}
		return nil
	})
	return paths, err
}

// source is a parsed Go file.
type source struct {
	File
	set  *token.FileSet
	tree *ast.File
}

// parse leaves out what is no Go file and what does not parse: that is the compiler's to say.
func parse(files []File) []source {
	var out []source
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".go") || strings.Contains(f.Path, "/testdata/") {
			continue
		}
		set := token.NewFileSet()
		if tree, err := parser.ParseFile(set, f.Path, f.Text, parser.ParseComments); err == nil {
			out = append(out, source{File: f, set: set, tree: tree})
		}
	}
	return out
}

func (s source) at(n ast.Node) string {
	p := s.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d", s.Path, p.Line)
}

// in says whether the file's package lies in or below the folder.
func (s source) in(folder string) bool {
	dir := path.Dir(s.Path)
	return dir == folder || strings.HasPrefix(dir, folder+"/")
}

// imports gives the imported paths.
func (s source) imports() []string {
	var out []string
	for _, i := range s.tree.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			out = append(out, p)
		}
	}
	return out
}
