package connector

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rowmark/connector/config"
	"rowmark/connector/decode"
	"rowmark/connector/registry"
	"rowmark/connector/registry/registrytest"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"
	"rowmark/test/chaos/proxy"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
)

const proxied = `sink: proxied
kafka:
  brokers: [kafka.inside.invalid:%s]
  proxy: %s
  proxy_username: user
  proxy_password_file: %s
hbase:
  zookeeper: [zookeeper.inside.invalid:%s]
  proxy: %s
tables:
  - topics: [t]
    table: t
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.a, to: "d:a"}]
`

func startProxy(t *testing.T, o proxy.Options) *proxy.Proxy {
	t.Helper()
	o.Hosts = map[string]string{"kafka.inside.invalid": "127.0.0.1", "zookeeper.inside.invalid": "127.0.0.1", "registry.inside.invalid": "127.0.0.1"}
	p, err := proxy.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestBothSidesGoThroughTheirProxies names hosts that only the proxies can find, and looks which way was taken.
func TestBothSidesGoThroughTheirProxies(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	base, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := base.Close(); err != nil {
			t.Error(err)
		}
	}()
	pk, ph := startProxy(t, proxy.Options{User: "user", Password: "word"}), startProxy(t, proxy.Options{})
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("word\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kafkaPort, zkPort := portOf(t, fake.ListenAddrs()[0]), portOf(t, base.ZooKeeper())
	c, err := config.Parse("x.yaml", fmt.Appendf(nil, proxied, kafkaPort, pk.URL(), file, zkPort, ph.URL()))
	if err != nil {
		t.Fatal(err)
	}
	o, err := OptionsOf(c, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	k, err := kafka.Open(ctx, o.Kafka)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}()
	// The leader is reached by the name that it advertises.
	tp := kafka.TopicPartition{Topic: "t"}
	if _, err := k.ListOffsets(ctx, []kafka.TopicPartition{tp}, kafka.Latest); err != nil {
		t.Fatal(err)
	}
	h, err := hbase.Open(ctx, o.HBase)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Admin().CreateTable(ctx, hbase.TableSchema{Name: "t", Families: []hbase.FamilySchema{{Name: "d"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Get(ctx, "t", hbase.Get{Row: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	if made := pk.Made(); made["kafka.inside.invalid:"+kafkaPort] == 0 || made[fake.ListenAddrs()[0]] == 0 {
		t.Errorf("kafka's proxy relayed %v, want the broker by both its names", made)
	}
	if made := ph.Made(); made["zookeeper.inside.invalid:"+zkPort] == 0 || made[base.Addr(0)] == 0 || len(made) != 3 {
		t.Errorf("hbase's proxy relayed %v, want ZooKeeper by its name, the master and the region server", made)
	}
}

// The schema registry's name is found by its proxy alone.
func TestTheRegistryIsReachedThroughItsProxy(t *testing.T) {
	s := registrytest.Start()
	defer s.Close()
	s.Register("x", registrytest.Schema{Schema: `"int"`})
	t.Setenv("ROWMARK_TEST_WORD", "word")
	p := startProxy(t, proxy.Options{User: "user", Password: "word"})
	c := &config.Config{Schemas: new(registry.Client)}
	c.SchemaRegistry = config.SchemaRegistry{
		URLs: []string{"http://registry.inside.invalid:" + portOf(t, s.Listener.Addr().String())}, Timeout: time.Minute,
		Proxy: p.URL(), ProxyUsername: "user", ProxyPasswordEnv: "ROWMARK_TEST_WORD",
	}
	if err := OpenRegistry(c); err != nil {
		t.Fatal(err)
	}
	_, err := c.Schemas.Schema(1)
	var later *decode.Later
	if !errors.As(err, &later) {
		t.Fatal(err)
	}
	if err := later.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Schemas.Schema(1); err != nil || got.Text != `"int"` {
		t.Errorf("%v, %v", got, err)
	}
	if made := p.Made(); len(made) != 1 {
		t.Errorf("the proxy relayed %v", made)
	}
}

// TestAMissingPasswordStopsTheStart looks at all sides.
func TestAMissingPasswordStopsTheStart(t *testing.T) {
	c := &config.Config{Schemas: new(registry.Client)}
	c.SchemaRegistry.PasswordEnv = "ROWMARK_TEST_NOT_SET"
	if err := OpenRegistry(c); err == nil {
		t.Error("registry: no error for a password that is nowhere")
	}
	c.HBase.Proxy, c.HBase.ProxyUsername, c.HBase.ProxyPasswordEnv = "socks5://a:1", "u", "ROWMARK_TEST_NOT_SET"
	if _, err := HBaseConfig(c); err == nil {
		t.Error("hbase: no error for a password that is nowhere")
	}
	c.Kafka.Proxy, c.Kafka.ProxyUsername, c.Kafka.ProxyPasswordEnv = "socks5://a:1", "u", "ROWMARK_TEST_NOT_SET"
	if _, err := KafkaConfig(c, zerolog.Nop()); err == nil {
		t.Error("kafka: no error for a password that is nowhere")
	}
}
