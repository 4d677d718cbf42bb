package connector_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The golden histories of testdata are told in full there: which events the core was fed, what it answered, and why
// that is right. Lines that begin with outIndent are answers; with -update they are written anew, the rest stays.
//
//	go test ./connector -run Golden -update
var update = flag.Bool("update", false, "write the answers of the golden histories anew")

const outIndent = "    "

func histories(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden histories found: %v", err)
	}
	out := map[string][]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return out
}

func TestGolden(t *testing.T) {
	for name, lines := range histories(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".golden"), func(t *testing.T) {
			got, err := replay(lines)
			if err != nil {
				t.Fatalf("%s\n%v", strings.Join(got[max(0, len(got)-20):], "\n"), err)
			}
			if *update {
				if err := os.WriteFile(name, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := diff(lines, got); d != "" {
				t.Errorf("%s: the core answers otherwise (- the file, + the core); if that is right, write it anew with -update and review the change\n%s", name, d)
			}
		})
	}
}

// The histories that must be there, so that a lost file is seen.
func TestGoldenIsComplete(t *testing.T) {
	all := histories(t)
	for _, name := range []string{"zombie", "lost_answer", "other_batch_cut", "retention_hole", "delete_recreate", "recreated_topic", "key_change"} {
		lines := all["testdata/"+name+".golden"]
		has := func(prefix string) bool {
			return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
		}
		if !has("# ") || !has("state") || !has("expect ") || !has(outIndent) {
			t.Errorf("%s: not told in full: it needs a comment, answers, expect lines and a state", name)
		}
	}
}
