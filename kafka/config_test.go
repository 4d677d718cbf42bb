package kafka

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestConfigIsChecked(t *testing.T) {
	ok := []string{"127.0.0.1:9092"}
	for says, cfg := range map[string]Config{
		"no broker":            {},
		"no host:port":         {Brokers: []string{"localhost"}},
		"without verification": {Brokers: ok, TLS: &tls.Config{InsecureSkipVerify: true}},
		"negative":             {Brokers: ok, FetchMaxWait: -time.Second},
		"1 GiB":                {Brokers: ok, MaxBatchBytes: 2 << 30},
		"mechanism":            {Brokers: ok, SASL: &SASL{"GSSAPI", "u", "p"}},
		"user name":            {Brokers: ok, SASL: &SASL{"PLAIN", "", "p"}},
	} {
		if _, err := Open(testContext(t), cfg); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	cfg, err := Config{Brokers: ok}.withDefaults()
	if err != nil || cfg.FetchMaxWait != 500*time.Millisecond || cfg.ClientID != "rowmark" || cfg.MaxBatchBytes != 256<<20 {
		t.Errorf("defaults %+v, %v", cfg, err)
	}
}

func TestTLSFiles(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for says, f := range map[string]TLSFiles{
		"no such file":   {CA: empty + "x"},
		"no certificate": {CA: empty},
		"or neither":     {Cert: empty},
		"client cert":    {Cert: empty, Key: empty},
	} {
		if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	cfg, err := TLSFiles{ServerName: "kafka"}.Load()
	if err != nil || cfg.ServerName != "kafka" || cfg.InsecureSkipVerify || cfg.MinVersion < tls.VersionTLS12 {
		t.Errorf("%+v, %v", cfg, err)
	}
}
