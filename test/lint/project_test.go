package lint

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestProject(t *testing.T) {
	files, err := Files(Root)
	if err != nil {
		t.Fatal(err)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, line := range rule(files) {
				t.Error(line)
			}
		})
	}
}

var rules = map[string]func([]File) []string{
	"pure core":        PureCore,
	"layers":           Layers,
	"length":           Length,
	"foreign":          Foreign,
	"package comments": PackageComments,
	"exit codes":       ExitCodes,
	"cases":            Cases,
}

// TestRunWithoutDemo looks at all that `rowmark run` is built from, other modules' packages included. The demo lies in
// the same program and does use a second Kafka client, as its witness, and embedded services; so it is left out.
func TestRunWithoutDemo(t *testing.T) {
	parts := goList(t, "-deps", "-tags", "nodemo", "rowmark/cmd/rowmark")
	if !slices.Contains(parts, "rowmark/connector") {
		t.Fatalf("the program has no part rowmark/connector: %v", parts)
	}
	for _, p := range parts {
		if below(p, franzClient) || below(p, embedded) || below(p, []string{"rowmark/test", "rowmark/cmd/rowmark/demo", "testing"}) {
			t.Errorf("rowmark run is built from %s: only tests and the demo may use it", p)
		}
	}
	// The tag must leave the demo out and not more.
	whole := goList(t, "-deps", "rowmark/cmd/rowmark")
	if !slices.Contains(whole, "rowmark/cmd/rowmark/demo") || slices.Contains(whole, "testing") {
		t.Errorf("the program as it is released has the demo, and has no part for tests: %v", whole)
	}
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = Root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.String())
	}
	return strings.Fields(string(out))
}
