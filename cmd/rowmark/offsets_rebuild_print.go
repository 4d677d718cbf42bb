package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/rebuild"
	"rowmark/kafka"
)

// rebuilt is one line of offsets rebuild.
type rebuilt struct {
	Topic       string `json:"topic"`
	Partition   int32  `json:"partition"`
	Checkpoint  int64  `json:"checkpoint"`
	LogEnd      int64  `json:"log_end"`
	Incarnation int    `json:"incarnation"` // of the log
	Marks       int64  `json:"marks"`       // of that incarnation
	Reach       int64  `json:"reach"`       // the greatest of them: a row holds all of its records below it
	ReadAgain   int64  `json:"read_again"`  // offsets below the reach
	Unmarked    int64  `json:"unmarked"`    // offsets from the reach to the checkpoint: no row tells of them, and they are passed by
	Done        bool   `json:"done"`

	tp         kafka.TopicPartition
	checkpoint core.Checkpoint
}

// checkpoints makes those of all partitions, or says of each why that can't be.
func (s *sides) checkpoints(parts []rebuild.Partition, found rebuild.Found) ([]*rebuilt, error) {
	var made []*rebuilt
	var errs []error
	for _, p := range parts {
		ck, err := found.Checkpoint(p, time.Now())
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ck.Mapping, ck.MappingHash = s.config.Mappings.Canonical(), s.config.Mappings.Hash()
		made = append(made, rebuiltOf(p, ck, found[p.TopicPartition][ck.Incarnation()]))
	}
	return made, errors.Join(errs...)
}

func rebuiltOf(p rebuild.Partition, ck core.Checkpoint, marks *rebuild.Marks) *rebuilt {
	if marks == nil {
		marks = &rebuild.Marks{}
	}
	return &rebuilt{
		Topic: p.Topic, Partition: p.Partition, Checkpoint: ck.Offset, LogEnd: p.LogEnd, Incarnation: ck.Incarnation(),
		Marks: marks.Count, Reach: marks.Greatest, ReadAgain: max(0, marks.Greatest-ck.Offset), Unmarked: max(0, ck.Offset-marks.Greatest),
		tp: p.TopicPartition, checkpoint: ck,
	}
}

func printRebuilt(w io.Writer, made []*rebuilt) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "TOPIC\tPARTITION\tCHECKPOINT\tLOG END\tINCARNATION\tMARKS\tREACH\tREAD AGAIN")
	for _, m := range made {
		again := strconv.FormatInt(m.ReadAgain, 10)
		if m.Unmarked > 0 {
			again = fmt.Sprintf("none; %s that no row tells of are passed by", count(int(m.Unmarked), "offset"))
		}
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", m.Topic, m.Partition, m.Checkpoint, m.LogEnd, m.Incarnation, m.Marks, m.Reach, again)
	}
	return t.Flush()
}
