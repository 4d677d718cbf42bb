package connector

import (
	"context"
	"slices"
	"strings"
)

// checkVisibility refuses a table whose cells everyone would read although their mapping says otherwise: without the
// coprocessor HBase passes visibility over in silence.
func (e *Engine) checkVisibility(ctx context.Context, table string) error {
	names, err := e.hbase.Admin().MasterCoprocessors(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, "VisibilityController") }) {
		return nil
	}
	return schemaError("a mapping gives cells of table %s a visibility, but HBase runs no VisibilityController, so that everyone would read them: load it on the master and the region servers, or leave visibility out", table)
}
