package connector

import (
	"context"
	"time"

	"rowmark/connector/decode"
)

// Pauses between two questions to a schema registry that does not answer.
const (
	awaitFirst = 200 * time.Millisecond
	awaitLast  = 30 * time.Second
)

// await asks for what a record's format needs, and lets others map meanwhile. A failure is no fault of the record: with
// patience it is asked for again, however long it takes, until ctx ends.
func (e *Engine) await(ctx context.Context, later *decode.Later, patience bool) error {
	<-e.mapSem
	defer func() { e.mapSem <- struct{}{} }()
	waited := false
	for pause := awaitFirst; ; pause = min(2*pause, awaitLast) {
		err := later.Wait(ctx)
		switch {
		case err == nil:
			if waited {
				e.log.Info().Msg("the schema was read; its records go on")
			}
			return nil
		case ctx.Err() != nil || !patience:
			return err
		}
		waited = true
		e.noise.warn("schema", err, "a schema can't be read; its records wait, and it is asked for again")
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
