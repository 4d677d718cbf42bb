package effect

import (
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T, more ...string) *Source {
	t.Helper()
	dir, err := CoreDir()
	if err != nil {
		t.Fatal(err)
	}
	src, err := Load(dir, more...)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestEveryActionOfTheCoreIsKnown(t *testing.T) {
	r, err := Check(load(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SwapCheckpoint/take", "Write/region", "CheckWitness/start", "Report/fenced"} {
		if !r.Has(want) {
			t.Errorf("no %s among %v", want, r.Effects)
		}
	}
	if got := r.Report(1); got != "Report/taken" {
		t.Errorf("report 1 is %s", got)
	}
}

// TestANewActionFails: by value, by pointer, and by embedding.
func TestANewActionFails(t *testing.T) {
	for _, text := range []string{
		"package core\ntype Burn struct{}\nfunc (Burn) action() {}\n",
		"package core\ntype Burn struct{}\nfunc (*Burn) action() {}\n",
		"package core\ntype Burn struct{ Report }\n",
	} {
		if _, err := Check(load(t, text)); err == nil || !strings.Contains(err.Error(), "core.Burn") {
			t.Errorf("a new action passed: %v", err)
		}
	}
	const kind = "package core\nconst ReportBurnt ReportKind = 200\n"
	r, err := Check(load(t, kind))
	if err != nil || !slices.Contains(r.Effects, "Report/burnt") {
		t.Errorf("a new kind of report is no effect: %v", err)
	}
}

func TestAnActionThatIsGoneFails(t *testing.T) {
	parts["Gone"] = []string{"x"}
	defer delete(parts, "Gone")
	if _, err := Check(load(t)); err == nil || !strings.Contains(err.Error(), "Gone") {
		t.Errorf("an action that is no more passed: %v", err)
	}
}
