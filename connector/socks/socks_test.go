package socks

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"rowmark/test/chaos/proxy"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"socks5://a:1080": "a:1080", "socks5://[::1]:65535": "[::1]:65535", "socks5://10.0.0.1:1": "10.0.0.1:1",
		"": "", "a:1080": "", "socks5://a": "", "socks5://:1": "", "socks5://a:0": "", "socks5://a:65536": "", "socks5://a:b": "",
		"socks5h://a:1": "", "socks4://a:1": "", "http://a:1": "", "socks5://u@a:1": "", "socks5://u:p@a:1": "",
		"socks5://a:1/": "", "socks5://a:1?x": "", "socks5://a:1#x": "", "socks5:a:1": "",
	} {
		got, err := Parse(text)
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrURL) {
			t.Errorf("Parse(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
}

// greeter says hello to everybody who connects.
func greeter(t *testing.T) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // the test is over
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c) // until the other end has gone
				_ = c.Close()
			}()
		}
	}()
	_, port, err = net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func start(t *testing.T, o proxy.Options) *proxy.Proxy {
	t.Helper()
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

func TestTheProxyResolvesNames(t *testing.T) {
	port := greeter(t)
	p := start(t, proxy.Options{User: "user", Password: "word", Hosts: map[string]string{"inside.invalid": "127.0.0.1"}})
	d, err := New(p.URL(), &Login{Username: "user", Password: "word"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Dial(t.Context(), "inside.invalid:"+port)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(c, got); err != nil || string(got) != "hello" {
		t.Errorf("the echo is %q, %v", got, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestErrorsNameBothEnds(t *testing.T) {
	p := start(t, proxy.Options{User: "user", Password: "word"})
	for name, l := range map[string]*Login{"no login": nil, "wrong login": {Username: "user", Password: "hunter2"}} {
		d, err := New(p.URL(), l)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Dial(t.Context(), "inside:1")
		if err == nil || !strings.Contains(err.Error(), "inside:1") || !strings.Contains(err.Error(), p.Addr()) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error with the target and the proxy", name, err)
		}
	}
}

// TestAProxyThatHangs: the context bounds the exchange with the proxy, too.
func TestAProxyThatHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // the test is over
	d, err := New("socks5://"+l.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := d.Dial(ctx, "inside:1"); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("a proxy that is silent gave %v after %v", err, time.Since(began))
	}
}
