package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// Config says how to reach the brokers and how to read from them. Zero values take the defaults named here.
type Config struct {
	Brokers  []string // host:port of some of the brokers; at least one
	ClientID string   // shown in the brokers' logs and quotas; default "rowmark"
	RackID   string   // lets brokers name a nearer replica to read from; empty: always the leader

	TLS  *tls.Config // nil: plain TCP. InsecureSkipVerify is refused. See TLSFiles
	SASL *SASL       // nil: no authentication

	ReadCommitted bool // aborted records and those of open transactions stay unseen

	FetchMaxWait  time.Duration // how long a broker may wait for FetchMinBytes; default 500ms
	FetchMinBytes int           // default 1
	FetchMaxBytes int           // of one answer, over all its partitions; default 50 MiB
	MaxBatchBytes int           // a batch that is larger when decompressed is an error; default 256 MiB

	// Dial opens connections to host:port, in place of TCP: through a proxy, for example, which then also resolves
	// the name. TLS and SASL go on top.
	Dial func(ctx context.Context, address string) (net.Conn, error)

	DialTimeout    time.Duration // of one address, with TLS and SASL; default 5s
	RequestTimeout time.Duration // without any byte of the answer, beyond FetchMaxWait; default 15s

	Log *zerolog.Logger // nil: silent
}

// SASL is a user and how the password is shown to the broker. PLAIN sends it as it is, so use it over TLS.
type SASL struct {
	Mechanism          string // PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512
	Username, Password string
}

// TLSFiles names PEM files.
type TLSFiles struct {
	CA         string // who vouches for the brokers; empty: the system's own list
	Cert, Key  string // the client's own certificate; both or neither
	ServerName string // the name in the brokers' certificates; empty: the host name dialled
}

// Load reads the files.
func (f TLSFiles) Load() (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: f.ServerName}
	if f.CA != "" {
		pem, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("reading the CA file: %w", err)
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("reading the CA file: %s holds no certificate in PEM form", f.CA)
		}
	}
	if (f.Cert == "") != (f.Key == "") {
		return nil, errors.New("loading the client certificate: name both the certificate and the key file, or neither")
	}
	if f.Cert != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return nil, fmt.Errorf("loading the client certificate: %w", err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}

func (c Config) withDefaults() (Config, error) {
	if len(c.Brokers) == 0 {
		return c, errors.New("checking the kafka settings: no broker is named")
	}
	for _, b := range c.Brokers {
		if host, port, err := net.SplitHostPort(b); err != nil || host == "" || port == "" {
			return c, fmt.Errorf("checking the kafka settings: broker %q is no host:port", b)
		}
	}
	if c.TLS != nil && c.TLS.InsecureSkipVerify {
		return c, errors.New("checking the kafka settings: TLS without verification is refused; name the CA file instead")
	}
	setDefault(&c.ClientID, "rowmark")
	setDefault(&c.FetchMaxWait, 500*time.Millisecond)
	setDefault(&c.FetchMinBytes, 1)
	setDefault(&c.FetchMaxBytes, 50<<20)
	setDefault(&c.MaxBatchBytes, 256<<20)
	setDefault(&c.DialTimeout, 5*time.Second)
	setDefault(&c.RequestTimeout, 15*time.Second)
	if c.FetchMaxWait < 0 || c.FetchMinBytes < 0 || c.FetchMaxBytes < 0 || c.MaxBatchBytes < 0 ||
		c.DialTimeout < 0 || c.RequestTimeout < 0 {
		return c, errors.New("checking the kafka settings: a size or time is negative")
	}
	if c.MaxBatchBytes > 1<<30 || c.FetchMaxBytes > 1<<30 {
		return c, errors.New("checking the kafka settings: fetch and batch sizes end at 1 GiB")
	}
	if c.Dial == nil {
		c.Dial = func(ctx context.Context, address string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", address)
		}
	}
	if c.Log == nil {
		nop := zerolog.Nop()
		c.Log = &nop
	}
	return c, nil
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

func (s *SASL) mechanism() (sasl.Mechanism, error) {
	if s == nil {
		return nil, nil
	}
	if s.Username == "" {
		return nil, errors.New("checking the kafka settings: SASL needs a user name")
	}
	var algo scram.Algorithm
	switch s.Mechanism {
	case "PLAIN":
		return plain.Mechanism{Username: s.Username, Password: s.Password}, nil
	case "SCRAM-SHA-256":
		algo = scram.SHA256
	case "SCRAM-SHA-512":
		algo = scram.SHA512
	default:
		return nil, fmt.Errorf("checking the kafka settings: SASL mechanism %q is none of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512", s.Mechanism)
	}
	m, err := scram.Mechanism(algo, s.Username, s.Password)
	if err != nil {
		return nil, fmt.Errorf("preparing SASL %s: %w", s.Mechanism, err)
	}
	return m, nil
}
