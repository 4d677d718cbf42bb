package connector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/hbase"
	"rowmark/kafka"
)

// A topic of dead letters has each letter before their table does: a letter is produced, and acknowledged by all replicas
// in sync, before its row is written. As the checkpoint passes a record behind its row, the topic lacks none; a letter
// whose row is written in a later attempt may be there twice.

// writesLetters says whether the rows of a table are letters that go to the topic as well.
func (e *Engine) writesLetters(table string) bool {
	return e.opts.LetterTopic != "" && e.maps.letters(table)
}

// letters says whether a mapping that is in use has its dead letters in this table.
func (m *mappings) letters(table string) bool {
	if m.current.Letters() == table {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stored {
		if s.Letters() == table {
			return true
		}
	}
	return false
}

// tellTopic produces the letters of a write that the topic lacks, and gives the groups whose letters it has. The others
// come back as attempts of which nothing was sent to HBase.
func (e *Engine) tellTopic(ctx context.Context, groups []*core.Group) []*core.Group {
	var messages []*deadletter.Message
	var places []int // of the messages' groups
	errs := make([]error, len(groups))
	for i, g := range groups {
		if e.sent.has(g.Write.Row) {
			continue
		}
		m, err := deadletter.NewMessage(&g.Write)
		if m == nil {
			errs[i] = err
			continue
		}
		messages, places = append(messages, m), append(places, i)
	}
	for j, err := range e.produce(ctx, messages) {
		if errs[places[j]] = err; err == nil {
			e.sent.add(groups[places[j]].Write.Row)
		}
	}
	var told []*core.Group
	var failed core.Written
	for i, g := range groups {
		if errs[i] == nil {
			told = append(told, g)
			continue
		}
		err := fmt.Errorf("sending a dead letter to topic %s (dead_letters.topic): %w; it waits until the topic takes it: see that the topic is there, that its replicas are in sync, and that the user of kafka.sasl may write to it", e.opts.LetterTopic, errs[i])
		failed.Groups = append(failed.Groups, g)
		failed.Results = append(failed.Results, hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultBusy, Err: err}})
	}
	if len(failed.Groups) > 0 {
		e.post(failed)
	}
	return told
}

// produce sends messages until each is in the topic or can't be. What makes the topic refuse one is left out of it.
func (e *Engine) produce(ctx context.Context, messages []*deadletter.Message) []error {
	errs := make([]error, len(messages))
	todo := make([]int, len(messages))
	for i := range todo {
		todo[i] = i
	}
	for len(todo) > 0 {
		recs := make([]kafka.Record, len(todo))
		for j, i := range todo {
			recs[j] = messages[i].Record()
		}
		var again []int
		for j, err := range e.kafka.Produce(ctx, e.opts.LetterTopic, recs) {
			m := messages[todo[j]]
			errs[todo[j]] = err
			if errors.Is(err, kafka.ErrTooLarge) && m.Shrink() || errors.Is(err, kafka.ErrBadTime) && m.Redate(time.Now()) {
				again = append(again, todo[j])
			}
		}
		todo = again
	}
	return errs
}

// checkLetterTopic sees that the topic of dead letters is there, and takes letters without a key. Whether the user may
// write to it shows with the first letter.
func (e *Engine) checkLetterTopic(ctx context.Context) error {
	name := e.opts.LetterTopic
	if name == "" {
		return nil
	}
	topics, err := e.kafka.Topics(ctx, []string{name})
	if err != nil {
		return err
	}
	bad := func(format string, args ...any) error {
		err := fmt.Errorf("topic %s can't take dead letters (dead_letters.topic): %w", name, fmt.Errorf(format, args...))
		return lasting{&core.StopError{Cause: core.CauseTopic, Err: err}}
	}
	switch err := topics[name].Err; {
	case isUnknownTopic(err):
		return bad("the brokers know no such topic: create it, or correct its name")
	case err != nil:
		return bad("%w", err)
	}
	retention, err := e.deleteRetention(ctx, name)
	if err == nil && retention >= 0 {
		return bad("it is compacted, which drops letters, and refuses those without a key: set cleanup.policy to delete")
	}
	return err
}
