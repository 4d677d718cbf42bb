// Package lint holds the project's own rules as tests: what no linter knows about the layers, the pure core,
// the size of files and what may not be written into them. Run them alone with
//
//	go test ./test/lint
//
// Each rule's function reports what breaks it and says why the rule is there; rules_test.go shows each of them a
// source that breaks it, so that a rule that finds nothing is known to look.
package lint
