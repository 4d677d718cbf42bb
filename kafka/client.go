package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Client talks to one Kafka cluster. It is safe for concurrent use.
type Client struct {
	cfg    Config
	addr   net.Addr
	tr     *kafkago.Transport
	meta   *metadata
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	quiet  limiter

	noFetchIDs bool // Fetch goes by topic names

	mu       sync.Mutex
	versions map[int32]versions // by broker
	warnings []string
	closed   bool           // with mu
	calls    sync.WaitGroup // round trips under way; none is added once closed
}

// Open connects and asks what the brokers can do. While none answers it tries again with back-off until ctx ends;
// refused credentials and settings that can't work end it at once.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	tr, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, tr: tr, addr: kafkago.TCP(cfg.Brokers...), versions: map[int32]versions{}, meta: newMetadata()}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for try := 0; ; try++ {
		err := c.open(ctx)
		if err == nil {
			return c, nil
		}
		err = fmt.Errorf("reaching kafka at %s: %w", strings.Join(cfg.Brokers, ","), err)
		if ctx.Err() != nil || !retriable(err) {
			return nil, errors.Join(err, c.Close())
		}
		c.warn("open", err, "kafka does not answer, trying again")
		if !sleep(ctx, backoff(try)) {
			return nil, errors.Join(err, c.Close())
		}
	}
}

func (c *Client) open(ctx context.Context) error {
	v, err := c.versionsOf(ctx, anyBroker)
	if err != nil {
		return err
	}
	if _, err := c.refresh(ctx, []string{}); err != nil {
		return err
	}
	if v[keyMetadata].max < metadataWithIDs {
		c.warnings = append(c.warnings, "the brokers are older than Kafka 2.8 and give no topic ids: "+
			"a topic that is deleted and created again can't be told from the old one")
	}
	c.noFetchIDs = v[keyFetch].max < fetchWithTopicIDs
	if v[keyFetch].max < fetchWithLastEpoch {
		c.warnings = append(c.warnings, "the brokers are older than Kafka 2.7: a log truncated by an unclean election can't be noticed while reading")
	}
	return nil
}

// Warnings names what these brokers can't do; empty for Kafka 2.8 and later.
func (c *Client) Warnings() []string { return c.warnings }

// Close closes all connections. Calls in flight end with an error; it waits until they have.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.calls.Wait()
	c.tr.CloseIdleConnections()
	return nil
}

var errClosed = errors.New("the client is closed")

// begin lets a round trip start; done ends it. After Close none does: kafka-go would open a new pool for it, whose
// goroutines nobody ends.
func (c *Client) begin() (done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	c.calls.Add(1)
	return c.calls.Done, nil
}

// do sends one request to one broker, in the highest version that the broker and want both know.
func (c *Client) do(ctx context.Context, broker int32, req kmsg.Request, want int16) (kmsg.Response, error) {
	return c.doFor(ctx, broker, req, want, 0)
}

// doFor does so for a request that the broker may let wait pass before it answers.
func (c *Client) doFor(ctx context.Context, broker int32, req kmsg.Request, want int16, wait time.Duration) (kmsg.Response, error) {
	v, err := c.versionsOf(ctx, broker)
	if err != nil {
		return nil, err
	}
	version, err := v.pick(req.Key(), want)
	if err != nil {
		return nil, fmt.Errorf("asking broker %s: %w", brokerName(broker), err)
	}
	req.SetVersion(version)
	return c.send(ctx, broker, req, wait)
}

// send sends a request whose version is set. The broker may let wait pass before it answers.
func (c *Client) send(ctx context.Context, broker int32, req kmsg.Request, wait time.Duration) (kmsg.Response, error) {
	e := &exchange{req: req}
	if err := c.exchange(ctx, broker, e, wait); err != nil {
		return nil, err
	}
	return e.resp, nil
}

// exchange does so for a caller that says more of the exchange than the request.
func (c *Client) exchange(ctx context.Context, broker int32, e *exchange, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait+10*c.cfg.RequestTimeout)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	done, err := c.begin()
	if err != nil {
		return fmt.Errorf("asking broker %s: %w", brokerName(broker), err)
	}
	defer done()
	e.ctx, e.broker, e.clientID = ctx, broker, c.cfg.ClientID
	e.idle, e.limit = wait+c.cfg.RequestTimeout, c.cfg.FetchMaxBytes+c.cfg.MaxBatchBytes+1<<20
	if _, err := c.tr.RoundTrip(ctx, c.addr, e); err != nil {
		// The broker behind the id may have been replaced by one of another version.
		c.forgetVersions(broker)
		return fmt.Errorf("asking broker %s: %w", brokerName(broker), err)
	}
	return nil
}

// hedgeAfter is how long one broker may take before another is asked as well: a paused one answers never.
const hedgeAfter = 2 * time.Second

// ask sends a request to any broker, trying the known ones before the configured addresses. The first answer counts.
func (c *Client) ask(ctx context.Context, newReq func() kmsg.Request, want int16) (kmsg.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		resp kmsg.Response
		err  error
	}
	brokers := append(c.meta.brokerIDs(), anyBroker)
	answers := make(chan answer, len(brokers))
	var last error
	for next, running := 0, 0; ; {
		if next < len(brokers) {
			broker := brokers[next]
			next++
			running++
			go func() {
				resp, err := c.do(ctx, broker, newReq(), want)
				answers <- answer{resp, err}
			}()
		}
		var hedge <-chan time.Time
		if next < len(brokers) {
			hedge = time.After(hedgeAfter)
		}
		select {
		case a := <-answers:
			running--
			if a.err == nil {
				return a.resp, nil
			}
			last = a.err
			if !retriable(a.err) || ctx.Err() != nil || (running == 0 && next == len(brokers)) {
				return nil, last
			}
		case <-hedge:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), last)
		}
	}
}

func brokerName(id int32) string {
	if id == anyBroker {
		return "(any)"
	}
	return fmt.Sprint(id)
}
