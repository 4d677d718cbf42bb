package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesHaveAPartForEachSuite: a run of hours is not to end with a page that has no place for it.
func TestPagesHaveAPartForEachSuite(t *testing.T) {
	t.Chdir("../..")
	for _, hdfs := range []bool{false, true} {
		s := &session{opts: options{hdfs: hdfs}}
		for _, su := range s.suites() {
			if su.lacks != "" {
				continue
			}
			if err := rewrite([]suite{su}, func(suite) string { return "" }, false); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRewrite writes parts of two pages, and nothing at all when one of them has no place.
func TestRewrite(t *testing.T) {
	dir := t.TempDir()
	page := func(name string, parts ...string) string {
		file := filepath.Join(dir, name)
		var text string
		for _, p := range parts {
			text += "<!-- bench: " + p + " -->old<!-- end of bench: " + p + " -->\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, two := page("one.md", "a", "b"), page("two.md", "c")
	holds := func(file, want string) {
		t.Helper()
		if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s holds %q, %v, want %q in it", filepath.Base(file), got, err, want)
		}
	}
	text := func(su suite) string { return "new " + su.name }
	some := []suite{{name: "a", page: one}, {name: "b", page: one}, {name: "c", page: two}}
	if err := rewrite(append(some, suite{name: "d", page: two}), text, true); err == nil {
		t.Error("a suite without a place was written")
	}
	holds(one, "old")
	if err := rewrite(some, text, false); err != nil {
		t.Fatal(err)
	}
	holds(two, "old")
	if err := rewrite(some, text, true); err != nil {
		t.Fatal(err)
	}
	holds(one, "\nnew a\n")
	holds(one, "\nnew b\n")
	holds(two, "\nnew c\n")
}
