package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// adminLimit bounds one operation, a fault of the cluster included.
const adminLimit = time.Minute

// KafkaAdmin does from outside what tests do to topics, by a client of its
// own. Its methods may be called from any goroutine. They wait until what they
// ask for is seen to be so, for a minute at most (or until their context ends),
// and try again on errors that pass.
type KafkaAdmin struct {
	client *kgo.Client
	adm    *kadm.Client
}

// NewKafkaAdmin makes a client; it connects when first used.
func NewKafkaAdmin(bootstrap []string) (*KafkaAdmin, error) {
	c, err := kgo.NewClient(kgo.SeedBrokers(bootstrap...),
		kgo.MetadataMinAge(100*time.Millisecond),
		// A paused broker takes requests and answers none: another is asked soon.
		kgo.RequestTimeoutOverhead(time.Second), kgo.DialTimeout(time.Second), kgo.RequestRetries(1))
	if err != nil {
		return nil, fmt.Errorf("making a client to administer kafka: %w", err)
	}
	return &KafkaAdmin{client: c, adm: kadm.NewClient(c)}, nil
}

// Close ends the client.
func (a *KafkaAdmin) Close() { a.client.Close() }

// until runs step until it is done, or says an error that will not pass.
func until(ctx context.Context, what string, step func(context.Context) (done bool, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, adminLimit)
	defer cancel()
	var last error
	for {
		done, err := step(ctx)
		if err == nil && done {
			return nil
		}
		if err != nil {
			if last = err; lasting(err) {
				return fmt.Errorf("%s: %w", what, err)
			}
		}
		if serr := sleep(ctx, 100*time.Millisecond); serr != nil {
			if last == nil {
				last = serr
			}
			return fmt.Errorf("%s: not done in time: %w", what, last)
		}
	}
}

// lasting says whether Kafka refused for a reason that waiting won't change.
func lasting(err error) bool {
	var e *kerr.Error
	if !errors.As(err, &e) || e.Retriable {
		return false
	}
	passing := []*kerr.Error{
		kerr.ReassignmentInProgress, kerr.NoReassignmentInProgress, kerr.UnknownServerError,
		kerr.EligibleLeadersNotAvailable, kerr.PreferredLeaderNotAvailable, kerr.InvalidReplicaAssignment,
	}
	return !slices.Contains(passing, e)
}
