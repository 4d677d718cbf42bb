package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const onImport = "\n\nimport \"rowmark/test/mutants/on\"\n"

// overlay writes the broken sources into dir, and the file that tells Go's -overlay of them.
func overlay(root, dir string, all []mutant) (string, error) {
	texts, err := patched(root, all)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range texts {
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("writing a broken source: %w", err)
		}
		replace[filepath.Join(root, file)] = to
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// patched makes the edits of all mutants, one after another.
func patched(root string, all []mutant) (map[string]string, error) {
	texts := map[string]string{}
	for i := range all {
		for _, e := range all[i].Edits {
			text, ok := texts[e.File]
			if !ok {
				b, err := os.ReadFile(filepath.Join(root, e.File))
				if err != nil {
					return nil, fmt.Errorf("breaking %s for mutant %s: %w", e.File, all[i].ID, err)
				}
				text = withImport(string(b))
			}
			if n := strings.Count(text, e.Find); n != 1 {
				return nil, fmt.Errorf("mutant %s: %s holds the text to break %d times, not once: the source changed, so change the mutant: %q", all[i].ID, e.File, n, e.Find)
			}
			texts[e.File] = strings.Replace(text, e.Find, strings.ReplaceAll(e.Put, "$0", e.Find), 1)
		}
	}
	return texts, nil
}

// withImport adds the import behind the package clause.
func withImport(text string) string {
	at := strings.Index("\n"+text, "\npackage ")
	end := at + strings.IndexByte(text[at:], '\n')
	return text[:end] + onImport + text[end:]
}
