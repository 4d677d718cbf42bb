package main

import (
	"testing"

	"rowmark/test/crash/effect"
	"rowmark/test/crash/matrix"
)

// TestTheMatrixKnowsEveryAction: what the command checks before it runs anything.
func TestTheMatrixKnowsEveryAction(t *testing.T) {
	if _, err := effect.Current(); err != nil {
		t.Fatal(err)
	}
}

// TestASmallRun goes through the command's own way, of one scenario of the core.
func TestASmallRun(t *testing.T) {
	reg, err := effect.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := settings{long: 1, only: "pure", scenario: "one append row", seconds: 1}
	if code := s.run(reg); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.scenario = "no such scenario"
	if code := s.run(reg); code == 0 {
		t.Error("a run of no case passed")
	}
}

// TestUnreachedEffectsAreViolations: unless only some scenarios were asked for.
func TestUnreachedEffectsAreViolations(t *testing.T) {
	var m matrix.Matrix
	unreached("some", &m, []string{"Look/floor"})
	if _, _, bad := m.Totals(); bad != 0 {
		t.Error("effects that were not asked for count")
	}
	unreached("", &m, []string{"Look/floor"})
	if _, _, bad := m.Totals(); bad != 1 {
		t.Error("an effect that nothing reached passed")
	}
}
