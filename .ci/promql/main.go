package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	found, err := run("../..")
	if err != nil {
		found = append(found, err.Error())
	}
	for _, f := range found {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// run gives what is wrong in the files of the project at root.
func run(root string) ([]string, error) {
	k, err := readKnown(filepath.Join(root, "docs/metrics.md"))
	if err != nil {
		return nil, err
	}
	rules, err := alerts(filepath.Join(root, "docker/alerts.yml"))
	if err != nil {
		return nil, err
	}
	panels, err := dashboard(filepath.Join(root, "docker/grafana/dashboards/rowmark.json"))
	if err != nil {
		return nil, err
	}
	if len(rules) < 10 || len(panels) < 30 {
		return nil, fmt.Errorf("only %d alerts and %d queries found", len(rules), len(panels))
	}
	var found []string
	for _, q := range append(rules, panels...) {
		for _, f := range k.check(q.expr, q.texts...) {
			found = append(found, q.where+": "+f)
		}
	}
	return found, nil
}
