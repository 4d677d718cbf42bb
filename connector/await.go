package connector

import (
	"context"
	"errors"
	"time"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// Pauses between two questions to a schema registry that does not answer.
const (
	awaitFirst = 200 * time.Millisecond
	awaitLast  = 30 * time.Second
)

// mapOne maps a record. What its format has to ask for, a schema, is asked for here, and as long as it takes if nothing
// else waits for this record, being the first. False: the records before it are to go on without it, or nobody wants it
// any more.
func (e *Engine) mapOne(ctx context.Context, set *mapping.Set, rec decode.Record, first bool) (mapping.Result, bool) {
	for {
		res := set.Map(rec)
		if res.Err == nil {
			return res, true
		}
		later := laterOf(res.Err)
		if later == nil {
			return res, true
		}
		if !e.await(ctx, later, first) {
			return mapping.Result{}, false
		}
	}
}

func laterOf(err error) *decode.Later {
	var later *decode.Later
	errors.As(err, &later)
	return later
}

// await lets others map while it waits. A failure is no fault of the record, so it is never passed, however long it lasts.
func (e *Engine) await(ctx context.Context, later *decode.Later, long bool) bool {
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
			return true
		case ctx.Err() != nil || !long:
			return false
		}
		waited = true
		e.noise.warn("schema", err, "a schema can't be read; its records wait, and it is asked for again")
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
