// Command reference writes docs/config.md, which says what each setting is, docs/config.schema.json, by which editors
// complete and check the YAML, and docs/metrics.md, which says what each metric is:
//
//	go run ./test/reference
//
// The first two come from the config struct, so that a new field needs nothing but its tags and its comment, and the last from
// what is registered. Its tests fail
// when a page is no longer what the program says.
package main
