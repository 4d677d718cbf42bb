package lint

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxLines is what one file by hand may hold: one idea a file, readable in one go.
const MaxLines = 600

// Length reports files by hand that are too long.
func Length(files []File) []string {
	var found []string
	for _, f := range files {
		if f.Generated() || !slices.Contains([]string{".go", ".java", ".proto", ".sh"}, path.Ext(f.Path)) {
			continue
		}
		if n := bytes.Count(f.Text, []byte("\n")); n > MaxLines {
			found = append(found, fmt.Sprintf("%s: %d lines, at most %d: split it by ideas", f.Path, n, MaxLines))
		}
	}
	return found
}

// The patterns are put together here, so that this file does not break its own rule.
var (
	// Folders that only one person's or one builder's machine has. A path inside a container image or of a device is
	// no such path, so only these beginnings count.
	machinePath = regexp.MustCompile(`(^|[\s"'=(:` + "`" + `])/(home|root|Users|work|mnt|workspace|builds)/[\w.-]`)
	// Where packages and images come from is for each machine's settings to say, mirrors included.
	registryHost = regexp.MustCompile(`(?i)\b(proxy\.golang|sum\.golang|repo[0-9]*\.maven|repo\.apache|repository\.apache|` +
		`registry-[0-9]+\.docker|docker\.io|gcr\.io|ghcr\.io|quay\.io|registry\.npmjs|pypi\.org)\b`)
)

// Foreign reports paths of one machine and hosts of registries.
func Foreign(files []File) []string {
	var found []string
	for _, f := range files {
		if !utf8.Valid(f.Text) || f.Generated() {
			continue
		}
		for i, line := range strings.Split(string(f.Text), "\n") {
			if machinePath.MatchString(line) {
				found = append(found, fmt.Sprintf("%s:%d: a path of one machine", f.Path, i+1))
			}
			if registryHost.MatchString(line) {
				found = append(found, fmt.Sprintf("%s:%d: the host of a registry: leave it to each machine's settings", f.Path, i+1))
			}
		}
	}
	return found
}

// PackageComments reports packages that don't say what they are: libraries in doc.go, commands in any file.
func PackageComments(files []File) []string {
	type state struct{ doc, command bool }
	packages := map[string]*state{}
	var order []string
	for _, s := range parse(files) {
		if s.Test() {
			continue
		}
		dir := path.Dir(s.Path)
		if packages[dir] == nil {
			packages[dir] = &state{}
			order = append(order, dir)
		}
		p := packages[dir]
		p.command = p.command || s.tree.Name.Name == "main"
		if s.tree.Doc != nil && (path.Base(s.Path) == "doc.go" || s.tree.Name.Name == "main") {
			p.doc = true
		}
	}
	var found []string
	for _, dir := range order {
		if p := packages[dir]; !p.doc {
			where := "doc.go"
			if p.command {
				where = "one of its files"
			}
			found = append(found, fmt.Sprintf("%s: no package comment in %s: say what it is, owns and must not know", dir, where))
		}
	}
	return found
}
