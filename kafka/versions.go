package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// API keys and the versions from which on they hold what is needed here.
const (
	keyFetch       int16 = 1
	keyMetadata    int16 = 3
	keyAPIVersions int16 = 18

	fetchWithLastEpoch int16 = 12 // Kafka 2.7: the broker compares the epoch of the last batch read
	fetchWithTopicIDs  int16 = 13 // Kafka 3.1
	metadataWithIDs    int16 = 10 // Kafka 2.8

	wantProduce        int16 = 9
	wantMetadata       int16 = 12
	wantListOffsets    int16 = 7
	wantLeaderEpoch    int16 = 4
	wantDescribeConfig int16 = 4
	wantCoordinator    int16 = 3
	wantJoinGroup      int16 = 7
	wantSyncGroup      int16 = 5
	wantHeartbeat      int16 = 4
	wantLeaveGroup     int16 = 4
)

type versionRange struct{ min, max int16 }

// versions says which versions of each request a broker takes, by API key.
type versions map[int16]versionRange

// pick returns the highest version up to want.
func (v versions) pick(key, want int16) (int16, error) {
	r, ok := v[key]
	if !ok || r.min > want {
		return 0, fmt.Errorf("finding a common version of request %d: the broker takes [%d, %d], wanted is at most %d", key, r.min, r.max, want)
	}
	return min(r.max, want), nil
}

func (c *Client) versionsOf(ctx context.Context, broker int32) (versions, error) {
	c.mu.Lock()
	v := c.versions[broker]
	c.mu.Unlock()
	if v != nil {
		return v, nil
	}
	req := kmsg.NewPtrApiVersionsRequest() // version 0 is understood by every broker
	kresp, err := c.send(ctx, broker, req, 0)
	if err != nil {
		return nil, err
	}
	resp := kresp.(*kmsg.ApiVersionsResponse)
	if err := codeError(resp.ErrorCode); err != nil {
		return nil, fmt.Errorf("asking broker %s for its versions: %w", brokerName(broker), err)
	}
	v = versions{}
	for _, k := range resp.ApiKeys {
		v[k.ApiKey] = versionRange{k.MinVersion, k.MaxVersion}
	}
	c.mu.Lock()
	c.versions[broker] = v
	c.mu.Unlock()
	return v, nil
}

func (c *Client) forgetVersions(broker int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.versions, broker)
}
