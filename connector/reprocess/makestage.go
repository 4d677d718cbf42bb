package reprocess

import (
	"context"
	"fmt"
	"hash/maphash"

	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// stage makes the stage of a run.
func (r *Runner) stage(ctx context.Context, e *entry) (*Stage, error) {
	s := &Stage{
		window: e.Window, set: r.Options.Mappings, log: &Log{r.Kafka}, budget: budget{most: r.MaxRows},
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		fresh: freshOf(e.Into), left: map[string]bool{}, parts: map[kafka.TopicPartition]*stagePart{},
	}
	for old := range e.Into {
		s.left[old] = true
	}
	s.alone = s.set.WritesOnly(s.fresh)
	sets := map[string]*mapping.Set{s.set.Hash(): s.set}
	for i := range e.Parts {
		part := e.Parts[i]
		for _, hash := range []string{part.Live, part.After} {
			if sets[hash] != nil {
				continue
			}
			set, err := mapping.CompileCanonical(e.mappings[hash], r.Options.Schemas)
			if err != nil {
				return nil, fmt.Errorf("run %s: the mapping that the records of %s were written by: %w", e.ID, part.Source(), err)
			}
			sets[hash] = set
		}
		sp := &stagePart{Part: part, live: sets[part.Live], after: sets[part.After], oldest: e.Window.From}
		for _, set := range []*mapping.Set{s.set, sp.live} {
			if ages := set.Ages(part.Topic); ages.Past < 0 {
				sp.oldest = 0
			} else {
				sp.oldest = min(sp.oldest, e.Window.From-ages.Past)
			}
		}
		s.parts[part.Source()] = sp
	}
	return s, s.findOldKeys(ctx, e.DeleteOld)
}
