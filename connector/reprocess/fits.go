package reprocess

import (
	"context"
	"fmt"

	"rowmark/connector/core"
	"rowmark/kafka"
)

// EndedError says that a run can't be gone on with, since what it was planned by no longer holds. What it wrote stays.
type EndedError struct{ Err error }

func (e *EndedError) Error() string { return e.Err.Error() }

// Unwrap gives the reason itself.
func (e *EndedError) Unwrap() error { return e.Err }

// fits gives the live checkpoints, where the run may go on beside them, and in the same log.
func (r *Runner) fits(ctx context.Context, e *entry, stage *Stage) (map[kafka.TopicPartition]*core.Checkpoint, error) {
	if err := (&Log{r.Kafka}).same(ctx, e.Parts); err != nil {
		return nil, err
	}
	live, err := r.live().List(ctx)
	if err != nil || stage.alone {
		return live, err
	}
	return live, sameMapping(e, live)
}

// sameMapping sees that the live connector still goes by the mapping that the run follows it by. All that it may have sent
// lies below the ceiling of a checkpoint with this mapping; from where another took over nothing is known.
func sameMapping(e *entry, live map[kafka.TopicPartition]*core.Checkpoint) error {
	for i := range e.Parts {
		p := &e.Parts[i]
		if ck := live[p.Source()]; ck != nil && ck.MappingHash != p.After {
			return &EndedError{fmt.Errorf("%s: the live connector was restarted by another mapping (%.12s, was %.12s) since run %s was made, which can't tell what was written meanwhile by which of them, and ends here: records of the window may be written, and late records and deletes of the live connector hidden by them, since they were not sent again behind; start a run under another id", p.Source(), ck.MappingHash, p.After, e.ID)}
		}
	}
	return nil
}
