package cluster

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go"
)

// KafkaVersion is the version started unless KafkaOptions names another.
const KafkaVersion = "4.1.1"

// KafkaOptions say what Kafka to start.
type KafkaOptions struct {
	Options
	Version string            // default KafkaVersion
	Nodes   int               // each broker and controller in one; default 1
	HeapMB  int               // of each node; default 384
	Config  map[string]string // laid over the server.properties of every node
	// SASL opens a second listener that wants SASL (PLAIN, SCRAM-SHA-256 or
	// SCRAM-SHA-512) with SASLUser and SASLPassword.
	SASL bool
	// TLS opens a listener that speaks TLS with a certificate of our own.
	TLS bool
}

// SASLUser and SASLPassword are accepted by the listener that SASL opens.
const (
	SASLUser     = "rowmark"
	SASLPassword = "rowmark-secret"
)

// Kafka is a running Kafka.
type Kafka struct {
	opts  KafkaOptions
	id    string
	dir   string
	nodes []*Process
	ports []kafkaPorts
	ca    []byte
	// up is set when all nodes have served once: from then on a node that
	// starts again waits for itself only, as others may be down or paused.
	up atomic.Bool
}

type kafkaPorts struct{ plain, controller, sasl, tls int }

// StartKafka starts Kafka in KRaft mode and waits until all its nodes serve.
func StartKafka(ctx context.Context, o KafkaOptions) (*Kafka, error) {
	if o.Version == "" {
		o.Version = KafkaVersion
	}
	if o.Nodes == 0 {
		o.Nodes = 1
	}
	if o.HeapMB == 0 {
		o.HeapMB = 384
	}
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	cp, err := o.classpath(ctx, "Kafka "+o.Version,
		artifact{"org.apache.kafka", "kafka_2.13", o.Version},
		artifact{"org.apache.kafka", "kafka-tools", o.Version},
		// The broker's own dependencies name no place for its log to go.
		artifact{"org.apache.logging.log4j", "log4j-slf4j-impl", "2.24.3"})
	if err != nil {
		return nil, err
	}
	return retryClash(func() (*Kafka, error) { return startKafkaOnce(ctx, o, java, cp) })
}

func startKafkaOnce(ctx context.Context, o KafkaOptions, java, cp string) (_ *Kafka, err error) {
	began := time.Now()
	o.logf("starting Kafka %s, %d node(s)", o.Version, o.Nodes)
	dir, err := o.workDir("kafka")
	if err != nil {
		return nil, err
	}
	k := &Kafka{opts: o, dir: dir, id: newClusterID(), ports: make([]kafkaPorts, o.Nodes)}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.Stop())
		}
	}()
	for i := range k.ports {
		p, err := pickPorts(4)
		if err != nil {
			return nil, err
		}
		k.ports[i] = kafkaPorts{plain: p[0], controller: p[1], sasl: p[2], tls: p[3]}
	}
	cp = dir + string(filepath.ListSeparator) + cp
	if err := os.WriteFile(filepath.Join(dir, "log4j2.properties"), []byte(log4j2), 0o644); err != nil {
		return nil, fmt.Errorf("configuring Kafka: %w", err)
	}
	certs := map[string]string{}
	if o.TLS {
		if k.ca, certs, err = kafkaCertificate(); err != nil {
			return nil, err
		}
	}
	if err := k.format(ctx, java, cp, certs); err != nil {
		return nil, err
	}
	for i := range o.Nodes {
		argv := slices.Concat([]string{java}, o.jvm(o.HeapMB),
			[]string{"-cp", cp, "kafka.Kafka", k.file(i, "server.properties")})
		k.nodes = append(k.nodes, &Process{
			name: fmt.Sprintf("kafka node %d", i+1), argv: argv, dir: dir, detach: o.Detach,
			logPath: k.file(i, "log"),
			ready:   func(ctx context.Context, p *Process) error { return k.waitReady(ctx, p, i) },
		})
	}
	if err := startTogether(ctx, k.nodes...); err != nil {
		return nil, fmt.Errorf("starting Kafka %s: %w", o.Version, err)
	}
	k.up.Store(true)
	o.logf("Kafka serves at %s, %.1f s after its start", strings.Join(k.Brokers(), ","), time.Since(began).Seconds())
	return k, nil
}

// waitReady waits until the node itself answers as a member of our cluster
// and, at its first start, knows of all other nodes.
func (k *Kafka) waitReady(ctx context.Context, p *Process, i int) error {
	tr := &kafka.Transport{DialTimeout: 2 * time.Second}
	defer tr.CloseIdleConnections()
	c := &kafka.Client{Addr: kafka.TCP(addr(k.ports[i].plain)), Transport: tr}
	return p.waitFor(ctx, func() bool {
		if conn, err := net.DialTimeout("tcp", addr(k.ports[i].plain), time.Second); err != nil {
			return false
		} else if conn.Close() != nil {
			return false
		}
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		m, err := c.Metadata(ctx, &kafka.MetadataRequest{})
		if err != nil || m.ClusterID != k.id {
			return false
		}
		return slices.ContainsFunc(m.Brokers, func(b kafka.Broker) bool { return b.Port == k.ports[i].plain }) &&
			(k.up.Load() || len(m.Brokers) == len(k.ports))
	})
}

// file names a file in the folder of node i.
func (k *Kafka) file(i int, name ...string) string {
	return filepath.Join(append([]string{k.dir, "node" + strconv.Itoa(i+1)}, name...)...)
}

// Brokers are the addresses of the plain listeners, as host:port.
func (k *Kafka) Brokers() []string { return k.addrs(func(p kafkaPorts) int { return p.plain }) }

// SASLBrokers are the addresses of the listeners that want SASL.
func (k *Kafka) SASLBrokers() []string { return k.addrs(func(p kafkaPorts) int { return p.sasl }) }

// TLSBrokers are the addresses of the TLS listeners.
func (k *Kafka) TLSBrokers() []string { return k.addrs(func(p kafkaPorts) int { return p.tls }) }

func (k *Kafka) addrs(port func(kafkaPorts) int) []string {
	var s []string
	for _, p := range k.ports {
		s = append(s, addr(port(p)))
	}
	return s
}

// CA is the certificate, as PEM, that vouches for the TLS listeners.
func (k *Kafka) CA() []byte { return k.ca }

// ID is the cluster's id.
func (k *Kafka) ID() string { return k.id }

// Node returns node i, counted from 0. Its broker id is i+1.
func (k *Kafka) Node(i int) *Process { return k.nodes[i] }

// Processes returns all nodes.
func (k *Kafka) Processes() []*Process { return slices.Clone(k.nodes) }

// Stop ends all nodes and removes what they stored.
func (k *Kafka) Stop() error { return stopAll(k.nodes, k.dir, k.opts.Options) }

func stopAll(procs []*Process, dir string, o Options) error {
	errs := make([]error, len(procs))
	var wg sync.WaitGroup
	for i, p := range procs {
		// The data goes anyway, so there is nothing to end gently for.
		wg.Go(func() { errs[i] = p.Kill() })
	}
	wg.Wait()
	if !o.Keep {
		errs = append(errs, removeWork(dir))
	}
	return errors.Join(errs...)
}

// newClusterID makes an id of Kafka's kind: 16 bytes in URL-safe base64.
func newClusterID() string {
	for {
		var b [16]byte
		_, _ = rand.Read(b[:]) // never fails
		// A leading dash would be taken for an option on a command line.
		if s := base64.RawURLEncoding.EncodeToString(b[:]); s[0] != '-' {
			return s
		}
	}
}
