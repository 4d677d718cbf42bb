package proxy

import (
	"net"
	"strings"
	"testing"

	socks "golang.org/x/net/proxy"
)

func TestSocks(t *testing.T) {
	e := startEcho(t, Kafka)
	_, port, err := net.SplitHostPort(e.addr)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := start(t, Options{User: "user", Password: "word", Hosts: map[string]string{"inside.invalid": "127.0.0.1"}})
	for _, c := range []struct {
		name, target, user, password, want string
	}{
		{"address", e.addr, "user", "word", ""},
		{"name", "inside.invalid:" + port, "user", "word", ""},
		{"wrong password", e.addr, "user", "wort", "failed"},
		{"no login", e.addr, "", "", "no acceptable authentication"},
		{"nobody there", "127.0.0.1:1", "user", "word", "refused"},
		{"IPv6, nobody there", "[::1]:1", "user", "word", "refused"},
	} {
		var auth *socks.Auth
		if c.user != "" {
			auth = &socks.Auth{User: c.user, Password: c.password}
		}
		d, err := socks.SOCKS5("tcp", p.Addr(), auth, &net.Dialer{})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := d.Dial("tcp", c.target)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		send(t, conn, kafkaCall(1, 18, nil))
		receive(t, answers(t, conn, Kafka), 1)
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSocksRefusesOthers(t *testing.T) {
	p, _ := start(t, Options{})
	for name, c := range map[string]struct{ send, want string }{
		"version 4":    {"\x04\x01\x00\x50\x7f\x00\x00\x01\x00", ""},
		"BIND":         {"\x05\x01\x00\x05\x02\x00\x01", "\x05\x00\x05\x07"},
		"address kind": {"\x05\x01\x00\x05\x01\x00\x09", "\x05\x00\x05\x08"},
	} {
		conn, err := net.Dial("tcp", p.Addr())
		if err != nil {
			t.Fatal(err)
		}
		send(t, conn, []byte(c.send))
		var got []byte
		buf := make([]byte, 64)
		for {
			n, err := conn.Read(buf)
			got = append(got, buf[:n]...)
			if err != nil {
				break
			}
		}
		if !strings.HasPrefix(string(got), c.want) || c.want == "" && len(got) > 0 {
			t.Errorf("%s: the proxy answered %q, want %q", name, got, c.want)
		}
		_ = conn.Close() // the proxy has closed it
	}
}
