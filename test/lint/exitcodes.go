package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

const (
	exitSource = "connector/exitcode.go"
	exitPage   = "docs/exit-codes.md"
)

// a row of the page's table: | 4 | `ExitRecord` | ...
var exitRow = regexp.MustCompile("(?m)^\\| *(\\d+) *\\| *`(\\w+)` *\\|")

// ExitCodes reports exit codes that the page does not list as the program has them, and such that it lists in vain.
func ExitCodes(files []File) []string {
	codes := map[string]string{}
	for _, s := range parse(files) {
		if s.Path == exitSource {
			codes = exitConstants(s.tree)
		}
	}
	if len(codes) == 0 {
		return []string{exitSource + ": no Exit constants found"}
	}
	listed := map[string]string{}
	for _, f := range files {
		if f.Path == exitPage {
			for _, m := range exitRow.FindAllSubmatch(f.Text, -1) {
				listed[string(m[2])] = string(m[1])
			}
		}
	}
	var found []string
	for name, code := range codes {
		if listed[name] != code {
			found = append(found, fmt.Sprintf("%s: %s is %s, the page says %q", exitPage, name, code, listed[name]))
		}
	}
	for name := range listed {
		if _, ok := codes[name]; !ok {
			found = append(found, fmt.Sprintf("%s: %s is no constant of %s", exitPage, name, exitSource))
		}
	}
	return found
}

func exitConstants(tree *ast.File) map[string]string {
	codes := map[string]string{}
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i, name := range v.Names {
				if !strings.HasPrefix(name.Name, "Exit") {
					continue
				}
				codes[name.Name] = "?" // only a plain number can be compared
				if i < len(v.Values) {
					if lit, ok := v.Values[i].(*ast.BasicLit); ok {
						codes[name.Name] = lit.Value
					}
				}
			}
		}
	}
	return codes
}
