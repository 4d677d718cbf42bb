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
}

// TestRunWithoutFranzClient looks at all that `rowmark run` is built from, other modules' packages included. The demo
// lies in the same program and does use that client, as its witness; so what the program's other parts import counts.
func TestRunWithoutFranzClient(t *testing.T) {
	direct := goList(t, "-f", `{{join .Imports "\n"}}`, "rowmark/cmd/rowmark")
	direct = slices.DeleteFunc(direct, func(p string) bool { return p == "rowmark/cmd/rowmark/demo" })
	if !slices.Contains(direct, "rowmark/connector") {
		t.Fatalf("the program imports no rowmark/connector: %v", direct)
	}
	for _, p := range goList(t, append([]string{"-deps"}, direct...)...) {
		if below(p, franzClient) {
			t.Errorf("rowmark run is built from %s: only tests and the demo may use it", p)
		}
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
