package lint

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
)

const casesPage = "test/CASES.md"

// Cases reports tests that the page of cases names and that do not exist, and cases without any.
func Cases(files []File) []string {
	known := map[string]bool{}
	for _, s := range parse(files) {
		for _, d := range s.tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.Test() && f.Recv == nil {
				known[path.Dir(s.Path)+" "+f.Name.Name] = true
			}
		}
	}
	var found []string
	for _, f := range files {
		if f.Path != casesPage {
			continue
		}
		for line := range strings.Lines(string(f.Text)) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if len(cells) == 4 && cells[0] != "#" {
				found = append(found, caseTests(cells[0], cells[3], known)...)
			}
		}
	}
	return found
}

// caseTests looks for the tests of a case: a folder and its tests, and others behind a semicolon.
func caseTests(name, tests string, known map[string]bool) []string {
	var found []string
	for part := range strings.SplitSeq(tests, ";") {
		words := strings.Fields(part)
		if len(words) < 2 {
			found = append(found, fmt.Sprintf("%s: case %s names no test in %q", casesPage, name, part))
			continue
		}
		for _, test := range words[1:] {
			if !known[words[0]+" "+test] {
				found = append(found, fmt.Sprintf("%s: case %s: there is no test %s in %s", casesPage, name, test, words[0]))
			}
		}
	}
	return found
}
