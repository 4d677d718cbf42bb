package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TopicInfo is what the brokers say of a topic.
type TopicInfo struct {
	Name       string
	ID         TopicID // zero where the brokers are older than Kafka 2.8
	Partitions []int32 // ascending
	Internal   bool
	Err        error // *UnknownTopicError, or why the brokers don't tell
}

// metadata is the last known layout of the cluster.
type metadata struct {
	mu        sync.Mutex
	seq       int // counts answers
	clusterID string
	brokers   map[int32]bool
	topics    map[string]*topicMeta
}

type topicMeta struct {
	info  TopicInfo
	parts map[int32]partMeta
	seq   int // of the answer that told it
	at    time.Time
}

type partMeta struct {
	leader, epoch int32 // leader is -1 while there is none
}

func newMetadata() *metadata {
	return &metadata{brokers: map[int32]bool{}, topics: map[string]*topicMeta{}}
}

func (m *metadata) brokerIDs() []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := slices.Collect(maps.Keys(m.brokers)) // in the map's random order, which spreads the load
	return ids
}

func (m *metadata) topic(name string) *topicMeta {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.topics[name]
}

// refresh asks for the named topics (nil: all of them; empty: only the brokers) and returns what came back.
// The request forbids the broker to create a topic.
func (c *Client) refresh(ctx context.Context, names []string) (map[string]*topicMeta, error) {
	kresp, err := c.ask(ctx, func() kmsg.Request {
		req := kmsg.NewPtrMetadataRequest()
		req.AllowAutoTopicCreation = false
		if names != nil {
			req.Topics = []kmsg.MetadataRequestTopic{}
		}
		for _, name := range names {
			t := kmsg.NewMetadataRequestTopic()
			t.Topic = kmsg.StringPtr(name)
			req.Topics = append(req.Topics, t)
		}
		return req
	}, wantMetadata)
	if err != nil {
		return nil, fmt.Errorf("asking for the topics' layout: %w", err)
	}
	resp := kresp.(*kmsg.MetadataResponse)
	m := c.meta
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seq++
	if resp.ClusterID != nil {
		m.clusterID = *resp.ClusterID
	}
	if len(resp.Brokers) > 0 {
		clear(m.brokers)
	}
	for _, b := range resp.Brokers {
		m.brokers[b.NodeID] = true
	}
	got := map[string]*topicMeta{}
	for i := range resp.Topics {
		if t := newTopicMeta(&resp.Topics[i], m.seq); t.info.Name != "" {
			t.keepNewer(m.topics[t.info.Name])
			m.topics[t.info.Name] = t
			got[t.info.Name] = t
		}
	}
	return got, nil
}

func newTopicMeta(t *kmsg.MetadataResponseTopic, seq int) *topicMeta {
	tm := &topicMeta{parts: map[int32]partMeta{}, seq: seq, at: time.Now()}
	if t.Topic != nil {
		tm.info.Name = *t.Topic
	}
	tm.info.ID, tm.info.Internal = t.TopicID, t.IsInternal
	switch code := kafkago.Error(t.ErrorCode); code {
	case 0, kafkago.LeaderNotAvailable:
	case kafkago.UnknownTopicOrPartition:
		tm.info.Err = &UnknownTopicError{TopicPartition{tm.info.Name, -1}}
	default:
		tm.info.Err = fmt.Errorf("asking for the layout of topic %s: %w", tm.info.Name, code)
	}
	for _, p := range t.Partitions {
		tm.info.Partitions = append(tm.info.Partitions, p.Partition)
		// A partition may carry an error for its replicas while its leader serves.
		tm.parts[p.Partition] = partMeta{leader: p.Leader, epoch: p.LeaderEpoch}
	}
	slices.Sort(tm.info.Partitions)
	return tm
}

// keepNewer keeps the leaders of an answer before that had a later epoch: a broker that was cut off for a while tells
// of old ones.
func (t *topicMeta) keepNewer(old *topicMeta) {
	if old == nil || old.info.ID != t.info.ID {
		return
	}
	for id, p := range t.parts {
		if was, ok := old.parts[id]; ok && was.epoch > p.epoch {
			t.parts[id] = was
		}
	}
}

// ClusterID asks for the id of the cluster.
func (c *Client) ClusterID(ctx context.Context) (string, error) {
	if _, err := c.refresh(ctx, []string{}); err != nil {
		return "", err
	}
	c.meta.mu.Lock()
	defer c.meta.mu.Unlock()
	return c.meta.clusterID, nil
}

// Topics asks for the named topics, or all if names is nil. It never creates one. Every name is in the answer,
// with Err set to an *UnknownTopicError if the brokers know no such topic.
func (c *Client) Topics(ctx context.Context, names []string) (map[string]TopicInfo, error) {
	got, err := c.refresh(ctx, names)
	if err != nil {
		return nil, err
	}
	infos := map[string]TopicInfo{}
	for name, t := range got {
		infos[name] = t.info
	}
	for _, name := range names {
		if _, ok := infos[name]; !ok {
			infos[name] = TopicInfo{Name: name, Err: &UnknownTopicError{TopicPartition{name, -1}}}
		}
	}
	return infos, nil
}
