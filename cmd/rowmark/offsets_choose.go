package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"
)

// named says whether partitions were chosen by name.
func (o *setOptions) named() bool { return len(o.topics)+len(o.partitions) > 0 }

// chosen are the partitions to move: those named, or all that have a checkpoint.
func (o *setOptions) chosen(cks map[kafka.TopicPartition]*core.Checkpoint) ([]kafka.TopicPartition, error) {
	var all []kafka.TopicPartition
	for tp := range cks {
		all = append(all, tp)
	}
	connector.SortPartitions(all)
	if !o.named() {
		return all, nil
	}
	wanted := map[kafka.TopicPartition]bool{}
	for _, topic := range o.topics {
		of := func(tp kafka.TopicPartition) bool { return tp.Topic == topic }
		if !slices.ContainsFunc(all, of) {
			return nil, fmt.Errorf("--topic %s: no partition of it has a checkpoint", topic)
		}
		for _, tp := range all {
			if of(tp) {
				wanted[tp] = true
			}
		}
	}
	for _, text := range o.partitions {
		tp, err := parsePartition(text)
		if err != nil {
			return nil, err
		}
		wanted[tp] = true
	}
	all = nil
	for tp := range wanted {
		all = append(all, tp)
	}
	connector.SortPartitions(all)
	return all, nil
}

func parsePartition(text string) (kafka.TopicPartition, error) {
	i := strings.LastIndexByte(text, '/')
	if i > 0 {
		if n, err := strconv.ParseInt(text[i+1:], 10, 32); err == nil && n >= 0 {
			return kafka.TopicPartition{Topic: text[:i], Partition: int32(n)}, nil
		}
	}
	return kafka.TopicPartition{}, fmt.Errorf("--partition %q: write topic/partition, as in orders/0", text)
}
