// Package fit says whether a configuration fits the JSON Schema, as an editor would.
package fit
