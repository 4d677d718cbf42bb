package kafka

import (
	"context"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TopicConfig asks for the settings of a topic that bear on reading it: cleanup.policy, delete.retention.ms,
// retention.ms and message.timestamp.type. It needs the right to describe the topic's configuration.
func (c *Client) TopicConfig(ctx context.Context, topic string) (map[string]string, error) {
	kresp, err := c.ask(ctx, func() kmsg.Request {
		r := kmsg.NewDescribeConfigsRequestResource()
		r.ResourceType = kmsg.ConfigResourceTypeTopic
		r.ResourceName = topic
		r.ConfigNames = []string{"cleanup.policy", "delete.retention.ms", "retention.ms", "message.timestamp.type"}
		req := kmsg.NewPtrDescribeConfigsRequest()
		req.Resources = append(req.Resources, r)
		return req
	}, wantDescribeConfig)
	if err != nil {
		return nil, fmt.Errorf("asking for the settings of topic %s: %w", topic, err)
	}
	settings := map[string]string{}
	for _, r := range kresp.(*kmsg.DescribeConfigsResponse).Resources {
		switch err := codeError(r.ErrorCode); {
		case isCode(err, kafkago.UnknownTopicOrPartition):
			return nil, &UnknownTopicError{TopicPartition{topic, -1}}
		case err != nil:
			return nil, fmt.Errorf("asking for the settings of topic %s: %w", topic, err)
		}
		for _, s := range r.Configs {
			if s.Value != nil {
				settings[s.Name] = *s.Value
			}
		}
	}
	return settings, nil
}
