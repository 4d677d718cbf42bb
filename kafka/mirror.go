package kafka

import (
	"context"
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
)

// ErrNoMember says that the group's member owns nothing at the moment, so it can't commit.
var ErrNoMember = errors.New("this member of the consumer group owns no partitions now")

// Mirror commits positions (the next offset of each partition) to the group, so that tools that look at groups show
// the lag. Nothing here reads them back. Partitions that another member owns by now come back as an error.
func (g *Group) Mirror(ctx context.Context, next map[TopicPartition]int64) error {
	g.mu.Lock()
	m := g.member
	g.mu.Unlock()
	if m == nil {
		return fmt.Errorf("committing positions to consumer group %s: %w", g.cfg.ID, ErrNoMember)
	}
	return g.c.commit(ctx, g.cfg.ID, m.generation, m.id, next)
}

// MirrorStatic commits positions as Mirror does, to a group without members, as with partitions assigned by hand.
func (c *Client) MirrorStatic(ctx context.Context, group string, next map[TopicPartition]int64) error {
	return c.commit(ctx, group, -1, "", next)
}

func (c *Client) commit(ctx context.Context, group string, generation int32, member string, next map[TopicPartition]int64) error {
	if len(next) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
	defer cancel()
	topics := map[string][]kafkago.OffsetCommit{}
	for tp, at := range next {
		topics[tp.Topic] = append(topics[tp.Topic], kafkago.OffsetCommit{Partition: int(tp.Partition), Offset: at})
	}
	defer context.AfterFunc(c.ctx, cancel)()
	done, err := c.begin()
	if err != nil {
		return fmt.Errorf("committing positions to consumer group %s: %w", group, err)
	}
	defer done()
	client := &kafkago.Client{Addr: c.addr, Transport: c.tr}
	resp, err := client.OffsetCommit(ctx, &kafkago.OffsetCommitRequest{
		Addr: c.addr, GroupID: group,
		GenerationID: int(generation), MemberID: member, Topics: topics,
	})
	if err != nil {
		return fmt.Errorf("committing positions to consumer group %s: %w", group, err)
	}
	// A commit of an old generation is refused partition by partition, with no error for the whole.
	var errs []error
	answered := 0
	for topic, parts := range resp.Topics {
		for _, p := range parts {
			answered++
			if p.Error != nil {
				errs = append(errs, fmt.Errorf("committing position of %s to consumer group %s: %w",
					TopicPartition{topic, int32(p.Partition)}, group, p.Error))
			}
		}
	}
	if answered < len(next) {
		errs = append(errs, fmt.Errorf("committing positions to consumer group %s: %w", group, errMissing))
	}
	return errors.Join(errs...)
}
