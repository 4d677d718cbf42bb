package main

import (
	"fmt"
	"os"

	"rowmark/test/bench/report"
)

// rewrite puts the suites' texts into their pages, or only sees whether it could.
func rewrite(some []suite, text func(suite) string, write bool) error {
	pages := map[string]string{}
	for _, su := range some {
		page, ok := pages[su.page]
		if !ok {
			raw, err := os.ReadFile(su.page)
			if err != nil {
				return fmt.Errorf("rewriting %s (run this from the project's root): %w", su.page, err)
			}
			page = string(raw)
		}
		page, err := report.Part(page, su.name, text(su))
		if err != nil {
			return fmt.Errorf("rewriting %s: %w", su.page, err)
		}
		pages[su.page] = page
	}
	if !write {
		return nil
	}
	for name, page := range pages {
		if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
			return fmt.Errorf("rewriting %s: %w", name, err)
		}
	}
	return nil
}
