package kafka

import (
	"context"
	"net"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// newTransport makes the pool of connections. It asks the brokers for each other's addresses by itself;
// with an empty list of topics, so that a cluster of many topics costs nothing.
func newTransport(cfg Config) (*kafkago.Transport, error) {
	mech, err := cfg.SASL.mechanism()
	if err != nil {
		return nil, err
	}
	return &kafkago.Transport{
		Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			c, err := cfg.dial(ctx, address)
			if err != nil {
				return nil, err
			}
			return &setupConn{Conn: c, limit: cfg.DialTimeout}, nil
		},
		// The limit holds for the whole list of bootstrap addresses: a dead one must not use up all of it.
		DialTimeout:    cfg.DialTimeout * time.Duration(1+len(cfg.Brokers)),
		IdleTimeout:    time.Minute,
		MetadataTTL:    5 * time.Second,
		MetadataTopics: []string{},
		ClientID:       cfg.ClientID,
		TLS:            cfg.TLS,
		SASL:           mech,
	}, nil
}

// dial opens one connection, within DialTimeout.
func (c Config) dial(ctx context.Context, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.DialTimeout)
	defer cancel()
	return c.Dial(ctx, address)
}

// setupConn keeps a deadline over the SASL exchange. kafka-go lifts its own just before it, so a broker that
// hangs there would hold the pool's discovery for ever. The first lifting is therefore turned into a new limit;
// the request that the connection was opened for then sets its own.
type setupConn struct {
	net.Conn
	limit  time.Duration
	mu     sync.Mutex
	lifted bool
}

func (c *setupConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	first := t.IsZero() && !c.lifted
	c.lifted = c.lifted || t.IsZero()
	c.mu.Unlock()
	if first {
		t = time.Now().Add(c.limit)
	}
	return c.Conn.SetDeadline(t)
}
