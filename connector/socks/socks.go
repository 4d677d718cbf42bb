package socks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"golang.org/x/net/proxy"
)

// Login is what the proxy asks for, if it does. SOCKS5 sends both unencrypted.
type Login struct {
	Username, Password string // at most 255 bytes each
}

// Dialer opens TCP connections through one proxy.
type Dialer struct {
	address string
	through proxy.ContextDialer
}

// ErrURL is wrapped by what Parse refuses. It never repeats the text, which may hold a password.
var ErrURL = errors.New("a SOCKS5 proxy is socks5://host:port, without a user or password")

// Parse gives the host:port of a URL of the form socks5://host:port.
func Parse(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "socks5" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return "", ErrURL
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 || u.Hostname() == "" {
		return "", ErrURL
	}
	return net.JoinHostPort(u.Hostname(), u.Port()), nil
}

// New makes a dialer for the proxy at a URL; login may be nil. It does not connect yet.
func New(text string, login *Login) (*Dialer, error) {
	address, err := Parse(text)
	if err != nil {
		return nil, err
	}
	var auth *proxy.Auth
	if login != nil {
		if n := len(login.Username); n == 0 || n > 255 {
			return nil, fmt.Errorf("preparing the login at the proxy %s: a user name has 1 to 255 bytes, this one %d", address, n)
		}
		if n := len(login.Password); n == 0 || n > 255 {
			return nil, fmt.Errorf("preparing the login at the proxy %s: a password has 1 to 255 bytes", address)
		}
		auth = &proxy.Auth{User: login.Username, Password: login.Password}
	}
	d, err := proxy.SOCKS5("tcp", address, auth, &net.Dialer{})
	if err != nil {
		return nil, fmt.Errorf("preparing the proxy %s: %w", address, err)
	}
	through, ok := d.(proxy.ContextDialer)
	if !ok {
		return nil, fmt.Errorf("preparing the proxy %s: its dialer takes no deadline", address)
	}
	return &Dialer{address: address, through: through}, nil
}

// Dial opens a connection to host:port. The context bounds all of it: reaching the proxy, the login, and what the
// proxy does.
func (d *Dialer) Dial(ctx context.Context, address string) (net.Conn, error) {
	c, err := d.through.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("reaching %s through the proxy %s: %w", address, d.address, err)
	}
	return c, nil
}
