package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOverrides(t *testing.T) {
	c, err := Parse("x.yaml", []byte(canonical),
		Override{"kafka.brokers", "a:1, b:2", "ROWMARK_KAFKA_BROKERS"},
		Override{"checkpoint.lease", "20s", "--checkpoint.lease"},
		Override{"kafka.tls.enabled", "true", "ROWMARK_KAFKA_TLS_ENABLED"},
		Override{"batch.rows", "7", "a"},
		Override{"batch.rows", "8", "b"},
		Override{"kafka.start", "offset:12", "c"},
		Override{"kafka.fetch.max_bytes", "1MiB", "d"})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(c.Kafka.Brokers) != "[a:1 b:2]" || c.Checkpoint.Lease != 20*time.Second || !c.Kafka.TLS.Enabled || c.Batch.Rows != 8 {
		t.Errorf("%+v", c)
	}
	if c.Kafka.Start != (Start{Kind: StartOffset, Offset: 12}) || c.Kafka.Fetch.MaxBytes != 1<<20 {
		t.Errorf("%+v", c.Kafka)
	}
}

func TestOverrideFaultsNameTheirOrigin(t *testing.T) {
	for _, o := range []Override{
		{"batch.rows", "many", "ROWMARK_BATCH_ROWS"},
		{"batch.rows", "0", "ROWMARK_BATCH_ROWS"},
		{"kafka.brokers", "nohost", "--kafka.brokers"},
		{"no.such", "1", "--no.such"},
		{"tables", "x", "--tables"},
		{"kafka.tls.enabled", "yes", "ROWMARK_KAFKA_TLS_ENABLED"},
	} {
		_, err := Parse("x.yaml", []byte(canonical), o)
		if err == nil || !strings.HasPrefix(err.Error(), o.Origin+": ") || strings.Contains(err.Error(), "x.yaml") {
			t.Errorf("%s=%s: got %v", o.Path, o.Value, err)
		}
	}
}

func TestKeysCanAllBeLaid(t *testing.T) {
	keys := Keys()
	if len(keys) < 40 {
		t.Fatalf("only %d keys", len(keys))
	}
	for _, k := range keys {
		if k.Default == "" {
			continue
		}
		if _, err := Parse("x.yaml", []byte(canonical), Override{k.Path, k.Default, "--" + k.Path}); err != nil {
			t.Errorf("the default of %s is refused: %v", k.Path, err)
		}
	}
}

func TestSizesAndStarts(t *testing.T) {
	for text, want := range map[string]Size{"4MiB": 4 << 20, "10": 10, "3kB": 3000, "1 GiB": 1 << 30, "7B": 7} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%s: %d, %v", text, s, err)
		}
		var again Size
		if err := again.UnmarshalText([]byte(s.String())); err != nil || again != s {
			t.Errorf("%s prints as %s", text, s)
		}
	}
	for _, text := range []string{"", "x", "-1", "4Mib", "99999999TiB", "1.5MiB"} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d bytes", text, s)
		}
	}
	for _, text := range []string{"earliest", "latest", "offset:5", "2026-11-01T00:00:00Z"} {
		var s Start
		if err := s.UnmarshalText([]byte(text)); err != nil || s.String() != text {
			t.Errorf("%s: %s, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "offset:-1", "offset:x", "1900-01-01T00:00:00Z", "Earliest"} {
		var s Start
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %s", text, s)
		}
	}
}

func TestAddressesInBraces(t *testing.T) {
	for text, want := range map[string]string{
		"kafka: {brokers: [h:1, 10.0.0.1:9092]}": "[h:1 10.0.0.1:9092]", "kafka: {brokers: [\"h:1\"]}": "[h:1]",
		"kafka: {brokers: [h: 1]}": "", "kafka: {brokers: [\"h\":1]}": "", "kafka: {brokers: [{h:1}]}": "", "kafka: {brokers: [h:[1]]}": "",
	} {
		text = "sink: s\n" + text + "\nhbase: {zookeeper: [z:2181]}\n" + canonical[strings.Index(canonical, "tables:"):]
		c, err := Parse("x.yaml", []byte(text))
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "x.yaml:2: kafka.brokers") {
				t.Errorf("%q: got %v", text[:40], err)
			}
		} else if err != nil || fmt.Sprint(c.Kafka.Brokers) != want || fmt.Sprint(c.HBase.ZooKeeper) != "[z:2181]" {
			t.Errorf("%q: got %v", text[:40], err)
		}
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	const secret = "hunter2"
	text := strings.Replace(canonical, "  assignment: static", "  sasl: {mechanism: PLAIN, username: u, password: "+secret+"}\n  assignment: static", 1)
	_, err := Parse("x.yaml", []byte(text))
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "password_file") {
		t.Errorf("got %v", err)
	}
	path := filepath.Join(t.TempDir(), "pw")
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	user, pw, err := SASL{Mechanism: "PLAIN", Username: "u", PasswordFile: path}.Credentials()
	if err != nil || user != "u" || pw.Reveal() != secret {
		t.Errorf("%s %q %v", user, pw.Reveal(), err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, in := range []any{pw, &pw, struct{ P Secret }{pw}, struct{ p Secret }{pw}} {
			if out := fmt.Sprintf(verb, in); strings.Contains(out, secret) || strings.Contains(out, fmt.Sprintf("%x", secret)) {
				t.Errorf("%s shows %s", verb, out)
			}
		}
	}
	t.Setenv("ROWMARK_TEST_PW", secret)
	if _, pw, err = (SASL{Mechanism: "PLAIN", Username: "u", PasswordEnv: "ROWMARK_TEST_PW"}).Credentials(); err != nil || pw.Reveal() != secret {
		t.Errorf("%v", err)
	}
	for _, s := range []SASL{
		{Mechanism: "PLAIN", Username: "u", PasswordEnv: secret},
		{Mechanism: "PLAIN", Username: "u", PasswordFile: secret},
	} {
		if _, _, err := s.Credentials(); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("got %v", err)
		}
	}
}

func TestCrossRules(t *testing.T) {
	for _, c := range []struct{ text, key string }{
		{"checkpoint: {lease: 2s}\n", "checkpoint.lease"},
		{"marks: {ttl: 5s}\n", "marks.ttl"},
		{"memory: {window: 1MiB}\n", "memory.window"},
		{"shutdown_timeout: 0s\n", "shutdown_timeout"},
	} {
		_, err := Parse("x.yaml", []byte(canonical+c.text))
		if err == nil || !strings.Contains(err.Error(), ": "+c.key+": ") {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
	for _, c := range []struct{ text, key string }{
		{"  assignment: group #", "kafka.group_id"},
		{"  group_id: g\n  assignment: static #", "kafka.group_id"},
		{"  tls: {ca: x}\n  assignment: static #", "kafka.tls.enabled"},
		{"  tls: {enabled: true, cert: x}\n  assignment: static #", "kafka.tls.cert"},
		{"  sasl: {username: x}\n  assignment: static #", "kafka.sasl.mechanism"},
		{"  sasl: {mechanism: PLAIN, username: x}\n  assignment: static #", "kafka.sasl.password_file"},
		{"  sasl: {mechanism: GSSAPI, username: x, password_env: Y}\n  assignment: static #", "kafka.sasl.mechanism"},
		{"  partitions: {orders: [-1]}\n  assignment: static #", "kafka.partitions.orders[0]"},
		{"  partitions: {order: [1]}\n  assignment: static #", "kafka.partitions.order: no mapping"},
		{"  partitions: {orders: 1}\n  assignment: static #", "kafka.partitions.orders"},
	} {
		_, err := Parse("x.yaml", []byte(with(t, "  assignment: static", c.text)))
		if err == nil || !strings.Contains(err.Error(), ": "+c.key) {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
}
