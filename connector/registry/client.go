package registry

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"rowmark/connector/decode"
)

// Config is how to reach a registry.
type Config struct {
	URLs     []string      // of one registry; they are tried in turn
	Username string        // empty: no login
	Password string        // of Username
	Token    string        // a bearer token, in place of a login
	TLS      *tls.Config   // of https URLs; nil: the system's authorities
	Timeout  time.Duration // of one request
	Dial     func(ctx context.Context, address string) (net.Conn, error)
}

// unknownFor is how long it is believed that there is no schema of an id: one that is registered now may be seen by
// some of a registry's nodes only after its first records have come.
const unknownFor = time.Minute

// maxUnknown bounds the ids remembered as unknown: damaged records may name any.
const maxUnknown = 1024

// Client gives schemas by their ids. The zero value can be given to those who will ask, and knows nothing until Open.
// It is safe for concurrent use.
type Client struct {
	known sync.Map // id to *decode.Schema

	mu      sync.Mutex
	conf    Config
	http    *http.Client
	unknown map[uint32]time.Time // when it was said
	asked   map[uint32]*question
}

// question is a request under way.
type question struct {
	done chan struct{}
	err  error
}

// Open says how the registry is reached. It does not connect yet.
func (c *Client) Open(conf Config) {
	transport := &http.Transport{
		TLSClientConfig: conf.TLS, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
	}
	if conf.Dial != nil {
		transport.DialContext = func(ctx context.Context, _, address string) (net.Conn, error) { return conf.Dial(ctx, address) }
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conf = conf
	c.http = &http.Client{Transport: transport, Timeout: conf.Timeout, CheckRedirect: sameHost}
}

var errRedirect = errors.New("it redirects to another host, which gets no login")

func sameHost(to *http.Request, via []*http.Request) error {
	if to.URL.Host != via[0].URL.Host || to.URL.Scheme != via[0].URL.Scheme || len(via) > 3 {
		return errRedirect
	}
	return nil
}

// UnknownError says that the registry has no schema of an id.
type UnknownError struct{ ID uint32 }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the schema registry knows no schema of id %d", e.ID)
}

// Schema gives a schema that was asked for. Otherwise it is a *decode.Later, whose Wait asks for it, or an *UnknownError.
func (c *Client) Schema(id uint32) (*decode.Schema, error) {
	if s, ok := c.lookup(id); ok {
		return s, nil
	}
	if id > math.MaxInt32 {
		return nil, &UnknownError{id} // registries count in Java's int; asked for more, they deny the whole path
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.unknown[id]; ok && time.Since(at) < unknownFor {
		return nil, &UnknownError{id}
	}
	return nil, &decode.Later{
		Err:  fmt.Errorf("schema %d was not read from the schema registry yet", id),
		Wait: func(ctx context.Context) error { return c.ask(ctx, id) },
	}
}

func (c *Client) lookup(id uint32) (*decode.Schema, bool) {
	s, ok := c.known.Load(id)
	if !ok {
		return nil, false
	}
	return s.(*decode.Schema), true
}

// ask asks for a schema, once however many want it, and keeps the answer.
func (c *Client) ask(ctx context.Context, id uint32) error {
	for {
		if _, ok := c.lookup(id); ok {
			return nil
		}
		q, first := c.question(id)
		if first {
			q.err = c.answer(ctx, id)
			c.mu.Lock()
			delete(c.asked, id)
			c.mu.Unlock()
			close(q.done)
			return q.err
		}
		select {
		case <-q.done:
			if !errors.Is(q.err, context.Canceled) { // else the one who asked was stopped, and not we
				return q.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) question(id uint32) (q *question, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q, ok := c.asked[id]; ok {
		return q, false
	}
	q = &question{done: make(chan struct{})}
	if c.asked == nil {
		c.asked = map[uint32]*question{}
	}
	c.asked[id] = q
	return q, true
}

// answer keeps what the registry says. That there is no such schema is an answer too.
func (c *Client) answer(ctx context.Context, id uint32) error {
	s, err := c.read(ctx, id)
	var unknown *UnknownError
	switch {
	case errors.As(err, &unknown):
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.unknown) >= maxUnknown || c.unknown == nil {
			c.unknown = map[uint32]time.Time{}
		}
		c.unknown[id] = time.Now()
		return nil
	case err != nil:
		return fmt.Errorf("reading schema %d from the schema registry: %w", id, err)
	}
	c.known.Store(id, s)
	return nil
}
