package main

import (
	"os"
	"strings"
	"testing"
)

// Every mutant still finds what it breaks, and stands in the list that people read.
func TestMutantsFitTheSources(t *testing.T) {
	texts, err := patched("../..", mutants())
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range texts {
		if !strings.Contains(text, "test/mutants/on") {
			t.Errorf("%s is broken without a switch", file)
		}
	}
	list, err := os.ReadFile("../MUTANTS.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range mutants() {
		if seen[m.ID] {
			t.Errorf("%s is there twice", m.ID)
		}
		seen[m.ID] = true
		for _, e := range m.Edits {
			if e.Put == "$0" {
				t.Errorf("%s breaks nothing in %s", m.ID, e.File)
			}
		}
		if row := "| `" + m.ID + "` | " + m.What + " | " + string(m.By) + " |"; !strings.Contains(string(list), row) {
			t.Errorf("MUTANTS.md lacks the row %s", row)
		}
	}
}

// A text that is not there exactly once is told, not left unbroken.
func TestAMutantThatFitsNoMoreIsTold(t *testing.T) {
	for _, find := range []string{"no such text in the file", "\n"} {
		m := mutant{ID: "x", Edits: []edit{{markGo, find, "$0"}}}
		if _, err := patched("../..", []mutant{m}); err == nil {
			t.Errorf("%q was taken", find)
		}
	}
}
