// Command reference writes docs/config.md, which says what each setting is, and docs/config.schema.json, by which
// editors complete and check the YAML:
//
//	go run ./test/reference
//
// Both come from the config struct, so that a new field needs nothing but its tags and its comment. Its tests fail
// when a page is no longer what the struct says.
package main
