package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rowmark/connector/config"
)

// TestOneTestCommand: what the README tells people to run, continuous integration and make run too.
func TestOneTestCommand(t *testing.T) {
	command := regexp.MustCompile(`(?m)^\s*(go run ./test/cluster/up -- go test .*?)( \|\| code=1)?$`)
	seen := map[string][]string{}
	for _, name := range []string{"README.md", "Makefile", ".ci/run"} {
		text, err := os.ReadFile(filepath.Join(Root, name))
		if err != nil {
			t.Fatal(err)
		}
		found := command.FindAllSubmatch(text, -1)
		if len(found) != 1 {
			t.Errorf("%s names the test command %d times, want once", name, len(found))
		}
		for _, m := range found {
			seen[string(m[1])] = append(seen[string(m[1])], name)
		}
	}
	if len(seen) != 1 {
		t.Errorf("more than one test command: %v", seen)
	}
}

// TestReadmeConfiguration loads what the README says can be pasted.
func TestReadmeConfiguration(t *testing.T) {
	text, err := os.ReadFile(Root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("the README has no configuration")
	}
	for i, b := range blocks {
		file := filepath.Join(t.TempDir(), "rowmark.yaml")
		if err := os.WriteFile(file, b[1], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file); err != nil {
			t.Errorf("block %d: %v", i+1, err)
		}
	}
}

// TestLinksLead looks at each link of a page that leads to a file.
func TestLinksLead(t *testing.T) {
	files, err := Files(Root)
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".md") {
			continue
		}
		for _, m := range link.FindAllSubmatch(f.Text, -1) {
			if _, err := os.Stat(filepath.Join(Root, filepath.Dir(f.Path), string(m[1]))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", f.Path, m[1])
			}
		}
	}
}
