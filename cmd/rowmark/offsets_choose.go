package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// named says whether partitions were chosen by name.
func (o *setOptions) named() bool { return len(o.topics)+len(o.partitions) > 0 }

// chosen are the partitions to move: those named, or all that have a checkpoint.
func (o *setOptions) chosen(cks map[kafka.TopicPartition]*core.Checkpoint) ([]kafka.TopicPartition, error) {
	all := connector.PartitionsOf(cks)
	if !o.named() {
		return all, nil
	}
	topics, tps, err := choose(o.topics, o.partitions)
	if err != nil {
		return nil, err
	}
	wanted := map[kafka.TopicPartition]bool{}
	for _, topic := range topics {
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
	for _, tp := range tps {
		wanted[tp] = true
	}
	return connector.PartitionsOf(wanted), nil
}

// choose reads what --topic and --partition say together: partitions, and topics of which all are meant. A partition
// that is a number alone is one of the only topic, of which not all are meant then.
func choose(topics, partitions []string) ([]string, []kafka.TopicPartition, error) {
	var tps []kafka.TopicPartition
	whole := topics
	for _, text := range partitions {
		topic := ""
		if len(topics) == 1 {
			topic = topics[0]
		}
		tp, bare, err := partitionIn(topic, text)
		if err != nil {
			return nil, nil, err
		}
		if bare {
			whole = nil
		}
		tps = append(tps, tp)
	}
	return whole, tps, nil
}

// onePartition is choose for commands that take one of each. Partition is negative where none is named.
func onePartition(cmd *cobra.Command, topic, text string) (string, int32, error) {
	if !cmd.Flags().Changed("partition") {
		return topic, -1, nil
	}
	tp, _, err := partitionIn(topic, text)
	if err == nil && topic != "" && tp.Topic != topic {
		err = fmt.Errorf("--partition %s: it is none of --topic %s", text, topic)
	}
	return tp.Topic, tp.Partition, err
}

// partitionIn reads topic/partition, or the number of a partition of the topic.
func partitionIn(topic, text string) (tp kafka.TopicPartition, bare bool, err error) {
	if strings.Contains(text, "/") {
		tp, err = parsePartition(text)
		return tp, false, err
	}
	n, err := strconv.ParseUint(text, 10, 31)
	switch {
	case err != nil && topic != "":
		err = fmt.Errorf("--partition %q: write topic/partition, as in %s/0, or the number alone; partitions count from 0", text, topic)
	case err != nil:
		_, err = parsePartition(text)
	case topic == "":
		err = fmt.Errorf("--partition %s: of which topic? Write topic/partition, as in orders/%s, or give one --topic", text, text)
	}
	return kafka.TopicPartition{Topic: topic, Partition: int32(n)}, true, err
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
