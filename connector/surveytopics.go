package connector

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// lookForTopics looks for what each mapping names, and for what the patterns match. A pattern may match nothing yet, as
// long as something is there to be read.
func (s *surveyor) lookForTopics(ctx context.Context) error {
	topics, err := s.kafka.Topics(ctx, nil)
	if err != nil {
		return err
	}
	named, _ := s.opts.Mappings.Topics()
	asked, err := s.kafka.Topics(ctx, named) // those that may not be listed say why
	if err != nil {
		return err
	}
	maps.Copy(topics, asked)
	found := map[string]*TopicFound{}
	missing := false
	for i := range s.config.Tables {
		for j, entry := range s.config.Tables[i].Topics {
			key := fmt.Sprintf("tables[%d].topics[%d]", i, j)
			if !mapping.IsPattern(entry) {
				missing = !s.named(key, topics[entry], found) || missing
				continue
			}
			s.matched(entry, topics, found)
		}
	}
	if len(found) == 0 && !missing {
		s.fault(ExitTopic, "tables", "", "no topic matches any of the patterns, so that there is nothing to read")
	}
	s.lookAtPartitions(topics)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s.lookAtTopic(ctx, name)
		s.found.Topics = append(s.found.Topics, *found[name])
	}
	return nil
}

// named takes a topic that a mapping names, or says why it can't be read.
func (s *surveyor) named(key string, t kafka.TopicInfo, found map[string]*TopicFound) bool {
	switch {
	case isUnknownTopic(t.Err):
		s.fault(ExitTopic, key, t.Name, "the brokers know no such topic: create it, or correct its name")
		return false
	case t.Err != nil:
		s.fault(ExitTopic, key, t.Name, "%v", t.Err)
		return false
	}
	found[t.Name] = found[t.Name].or(t)
	return true
}

func (s *surveyor) matched(pattern string, topics map[string]kafka.TopicInfo, found map[string]*TopicFound) {
	for name, t := range topics {
		if t.Err != nil || t.Internal || !mapping.TopicMatches(pattern, name) {
			continue
		}
		f := found[name].or(t)
		if !slices.Contains(f.Patterns, pattern) {
			f.Patterns = append(f.Patterns, pattern)
		}
		found[name] = f
	}
}

func (f *TopicFound) or(t kafka.TopicInfo) *TopicFound {
	if f != nil {
		return f
	}
	return &TopicFound{Name: t.Name, Partitions: len(t.Partitions)}
}

// lookAtPartitions looks for the partitions that kafka.partitions names.
func (s *surveyor) lookAtPartitions(topics map[string]kafka.TopicInfo) {
	for _, name := range slices.Sorted(maps.Keys(s.opts.Partitions)) {
		t, ok := topics[name]
		if !ok || t.Err != nil {
			continue
		}
		for i, p := range s.opts.Partitions[name] {
			if !slices.Contains(t.Partitions, p) {
				s.fault(ExitTopic, fmt.Sprintf("kafka.partitions.%s[%d]", name, i), fmt.Sprint(p), "topic %s has %d partitions, from 0 on", name, len(t.Partitions))
			}
		}
	}
}

// lookAtTopic finds what a run would stop the topic's partitions for.
func (s *surveyor) lookAtTopic(ctx context.Context, name string) {
	if err := s.opts.Mappings.CheckTopic(name); err != nil {
		s.fault(ExitRecord, "tables", name, "%v", err)
	}
	retention, err := s.deleteRetention(ctx, name)
	if err == nil {
		err = s.mayCount(name, retention)
	}
	if err != nil {
		s.fault(surveyCode(err), "tables", name, "%v", err)
	}
}
