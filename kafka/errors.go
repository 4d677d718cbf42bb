package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// codeError turns a broker's error code into an error; 0 is none.
func codeError(code int16) error {
	if code == 0 {
		return nil
	}
	return kafkago.Error(code)
}

// retriable says whether trying again can help: everything on the way to a broker can, what a broker has decided
// about credentials and rights can't.
func retriable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var unknownCA x509.UnknownAuthorityError
	var badHost x509.HostnameError
	var badCert *tls.CertificateVerificationError
	if errors.As(err, &unknownCA) || errors.As(err, &badHost) || errors.As(err, &badCert) {
		return false
	}
	var code kafkago.Error
	if !errors.As(err, &code) {
		return true
	}
	switch code {
	case kafkago.TopicAuthorizationFailed, kafkago.GroupAuthorizationFailed, kafkago.ClusterAuthorizationFailed,
		kafkago.SASLAuthenticationFailed, kafkago.UnsupportedSASLMechanism, kafkago.InvalidTopic,
		kafkago.SecurityDisabled, kafkago.IllegalSASLState, kafkago.InvalidRequest:
		return false
	}
	return true
}

// backoff grows from 100 ms to 5 s, with jitter so that many clients don't come back together.
func backoff(try int) time.Duration {
	d := 5 * time.Second
	if try < 6 {
		d = 100 * time.Millisecond << try
	}
	return d/2 + rand.N(d/2+1)
}

// sleep reports whether it slept to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// limiter lets each key pass once in logEvery, so that a fault that lasts doesn't fill the log.
type limiter struct {
	mu   sync.Mutex
	last map[string]time.Time
}

const logEvery = 10 * time.Second

func (l *limiter) pass(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if now.Sub(l.last[key]) < logEvery {
		return false
	}
	if l.last == nil || len(l.last) > 10_000 {
		l.last = map[string]time.Time{}
	}
	l.last[key] = now
	return true
}

func (c *Client) warn(key string, err error, msg string) {
	if c.quiet.pass(key) {
		c.cfg.Log.Warn().Err(err).Msg(msg)
	}
}
