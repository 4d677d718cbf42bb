package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// command regenerates the pages.
const command = "go run ./test/reference"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	pages, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
	}
	return nil
}

// generate gives each page by its path from the root of the module.
func generate(root string) (map[string][]byte, error) {
	top, err := readSettings(root)
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(top)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"docs/config.md": pageOf(top), "docs/config.schema.json": schema, "docs/metrics.md": metricsPage()}, nil
}
