package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProxyTextIsNeverShown(t *testing.T) {
	for _, text := range []string{"socks5://user:hunter2@a:1", "socks5://a:hunter2", "hunter2"} {
		_, err := Parse("x.yaml", []byte(with(t, "  commit: auto ", "  proxy: "+text+"\n  commit: auto ")))
		if err == nil {
			t.Errorf("%s: accepted", text)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the message shows what may be a password: %v", err)
		}
	}
}

func TestProxyDialer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hunter2")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := &HBase{Proxy: "socks5://a:1", ProxyUsername: "u", ProxyPasswordFile: file}
	wrong := func(what, reason string) {
		t.Helper()
		if _, err := h.Through().Dialer(); err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want a reason with %q and without the file's name", what, err, reason)
		}
	}
	wrong("no file", "hbase.proxy_password_file")
	write("\n")
	wrong("an empty file", "empty")
	write(strings.Repeat("hunter2", 50))
	wrong("a long password", "255")
	write("hunter2\n")
	if d, err := h.Through().Dialer(); err != nil || d == nil {
		t.Errorf("a good login gave %v, %v", d, err)
	}
	h.ProxyPasswordFile, h.ProxyPasswordEnv = "", "ROWMARK_TEST_NOT_SET"
	wrong("no variable", "hbase.proxy_password_env")
	t.Setenv("ROWMARK_TEST_NOT_SET", "hunter2")
	if d, err := h.Through().Dialer(); err != nil || d == nil {
		t.Errorf("a login from the environment gave %v, %v", d, err)
	}
	if d, err := (&Kafka{}).Through().Dialer(); err != nil || d != nil {
		t.Errorf("without a proxy the dialer is %v, %v; want none", d, err)
	}
}
