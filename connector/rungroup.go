package connector

import "context"

func (e *Engine) runGroup(ctx context.Context) error { <-ctx.Done(); return nil }
