// Package docs holds the pages that the program prints.
package docs

import _ "embed" // for Schema

// Schema is the JSON Schema of the configuration, as go run ./test/reference writes it.
//
//go:embed config.schema.json
var Schema []byte
