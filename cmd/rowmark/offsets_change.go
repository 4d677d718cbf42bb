package main

import (
	"fmt"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"
)

// change is the move of one checkpoint, as it is told before it is made.
type change struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	From      int64  `json:"from"`
	To        int64  `json:"to"`
	// Where the log is another one, ReadAgain and Skipped tell nothing: From and To speak of two logs.
	ReadAgain int64 `json:"read_again"` // offsets
	Skipped   int64 `json:"skipped"`    // offsets, for good
	// Oldest is the time of the first of them, or of the first record of the new incarnation.
	Oldest  string `json:"oldest,omitempty"`
	Letters int    `json:"dead_letters"` // that stand for records which are read again
	// Incarnation is that of the log from To on.
	Incarnation int    `json:"incarnation"`
	Opens       bool   `json:"opens_incarnation"`
	Owner       string `json:"owner,omitempty"`
	Done        bool   `json:"done"`
	Error       string `json:"error,omitempty"`

	tp     kafka.TopicPartition
	same   bool // a new incarnation was asked for, and the log is the one it was
	place  connector.Place
	log    logEnds
	oldest time.Time
	err    error
}

func newChange(tp kafka.TopicPartition, held *core.Checkpoint, log logEnds, to int64, opens bool) *change {
	c := &change{
		Topic: tp.Topic, Partition: tp.Partition, From: held.Offset, To: to, Incarnation: held.Incarnation(), Opens: opens, tp: tp, log: log,
	}
	if held.Owner != (core.Owner{}) {
		c.Owner = held.Who
	}
	if opens {
		c.Incarnation++
	}
	c.place = connector.Place{Offset: to, Incarnation: c.Incarnation, TopicID: log.topic}
	c.from(held.Offset)
	return c
}

func (c *change) from(offset int64) {
	c.From = offset
	if !c.Opens {
		c.ReadAgain, c.Skipped = max(0, offset-c.To), max(0, c.To-offset)
	}
}

// span is where the records lie that are read again, skipped, or begin the new incarnation.
func (c *change) span() connector.Span {
	if c.Opens {
		return connector.Span{From: c.To, Until: c.log.stable}
	}
	return connector.Span{From: max(c.log.start, min(c.From, c.To)), Until: min(c.log.stable, max(c.From, c.To))}
}

// done notes what came of it.
func (c *change) done(from int64, err error) {
	if err != nil {
		c.err, c.Error = err, err.Error()
		return
	}
	c.Done = true
	c.from(from) // a connector may have moved it on since the plan
}

// what says what comes of it.
func (c *change) what() string {
	since := ""
	if !c.oldest.IsZero() {
		since = fmt.Sprintf(", the first of %s (%s ago)", c.Oldest, span(time.Since(c.oldest)))
	}
	switch {
	case c.Opens:
		return fmt.Sprintf("incarnation %d of the log begins here under marks of its own: %d offsets are applied whatever the rows hold of the log before%s; the %d before them are not read", c.Incarnation, c.log.end-c.To, since, c.To-c.log.start)
	case c.Skipped > 0:
		return fmt.Sprintf("%d offsets are skipped for good%s", c.Skipped, since)
	case c.ReadAgain > 0:
		return fmt.Sprintf("%d offsets will be read again%s; records that their rows hold already are not applied again", c.ReadAgain, since)
	default:
		return "unchanged"
	}
}

// lines tell of the change before it is made.
func (c *change) lines(force bool) []string {
	out := []string{fmt.Sprintf("%s: %d -> %d: %s", c.tp, c.From, c.To, c.what())}
	if c.Letters > 0 {
		out = append(out, fmt.Sprintf("%s: %d of them have dead letters: what the mapping of now can write is written when it is read again, so that a retry of its letter would write it twice", c.tp, c.Letters))
	}
	if c.same {
		out = append(out, fmt.Sprintf("%s: the log is the one it was: --new-incarnation does nothing here", c.tp))
	}
	switch {
	case c.Owner != "" && force:
		out = append(out, fmt.Sprintf("%s: %s holds it, and is fenced", c.tp, c.Owner))
	case c.Owner != "":
		out = append(out, fmt.Sprintf("%s: %s holds it: while that runs the move is refused, unless --force fences it", c.tp, c.Owner))
	}
	return out
}
