// Package effect lists everything the connector's core can ask of the world outside, so that the crash matrix can't
// forget one: the kinds come from the source of connector/core itself, the parts of each kind from a table here, and
// Check says where the two differ.
package effect
