package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rowmark/connector/config"
	"rowmark/connector/preview"
	"rowmark/kafka"
)

// live shows records of a topic.
func (a *app) live(ctx context.Context, c *config.Config, o *previewOptions, p *previewer) error {
	if !c.Mappings.Matches(o.topic) {
		names, patterns := c.Mappings.Topics()
		return configError(fmt.Errorf("--topic %s: no mapping takes it; they take %s", o.topic, strings.Join(append(names, patterns...), ", ")))
	}
	client, err := a.openKafka(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	tps, err := partitionsOf(ctx, client, c, o)
	if err != nil {
		return err
	}
	if len(tps) > 1 && o.place.offset >= 0 {
		return configError(fmt.Errorf("--from %s: topic %s has %d partitions, so name one with --partition", o.from, o.topic, len(tps)))
	}
	t := &preview.Topic{Client: client, ReadCommitted: c.Kafka.Isolation == "read_committed", Timeout: c.HBase.CallTimeout}
	recs, err := t.Read(ctx, tps, o.begin(), o.count)
	var outside *kafka.OutOfRangeError
	if errors.As(err, &outside) {
		return configError(fmt.Errorf("--from %s: %w", o.from, err))
	}
	if err != nil {
		return err
	}
	for _, rec := range recs {
		if err := p.show(rec); err != nil {
			return err
		}
	}
	if len(recs) == 0 && o.format == "text" {
		_, err = fmt.Fprintln(p.out, "there are no records")
	}
	return err
}

// begin is the place that --from names. At the end there is nothing, so that it stands for the last records.
func (o *previewOptions) begin() preview.From {
	return preview.From{Last: o.place.offset < 0 && o.place.spec == kafka.Latest, Offset: o.place.offset, At: o.place.spec}
}

// partitionsOf gives the topic's partitions, or the one that is named.
func partitionsOf(ctx context.Context, client *kafka.Client, c *config.Config, o *previewOptions) ([]kafka.TopicPartition, error) {
	ctx, cancel := context.WithTimeout(ctx, c.HBase.CallTimeout)
	defer cancel()
	topics, err := client.Topics(ctx, []string{o.topic})
	if err == nil {
		err = topics[o.topic].Err
	}
	if err != nil {
		return nil, err
	}
	var out []kafka.TopicPartition
	for _, n := range topics[o.topic].Partitions {
		if o.partition < 0 || o.partition == n {
			out = append(out, kafka.TopicPartition{Topic: o.topic, Partition: n})
		}
	}
	if len(out) == 0 {
		return nil, &kafka.UnknownTopicError{TopicPartition: kafka.TopicPartition{Topic: o.topic, Partition: max(0, o.partition)}}
	}
	return out, nil
}
