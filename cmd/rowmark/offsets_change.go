package main

import (
	"fmt"

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
	// Incarnation is that of the log from To on.
	Incarnation int    `json:"incarnation"`
	Opens       bool   `json:"opens_incarnation"`
	Owner       string `json:"owner,omitempty"`
	Done        bool   `json:"done"`
	Error       string `json:"error,omitempty"`

	tp    kafka.TopicPartition
	place connector.Place
	log   logEnds
	err   error
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

// done notes what came of it. A connector may have moved the checkpoint on since the plan.
func (c *change) done(from int64, err error) {
	if err != nil {
		c.err, c.Error = err, err.Error()
		return
	}
	c.Done = true
	c.from(from)
}

// what says what comes of it.
func (c *change) what() string {
	switch {
	case c.Opens:
		return fmt.Sprintf("incarnation %d of the log begins here, under marks of its own: %d offsets are applied whatever the rows hold of the log before, and the %d before them are not read", c.Incarnation, c.log.end-c.To, c.To-c.log.start)
	case c.Skipped > 0:
		return fmt.Sprintf("%d offsets are skipped for good", c.Skipped)
	case c.ReadAgain > 0:
		return fmt.Sprintf("%d offsets will be read again; records that their rows hold already are not applied again", c.ReadAgain)
	default:
		return "unchanged"
	}
}
