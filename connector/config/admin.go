package config

import (
	"errors"
	"net"
	"strconv"
)

// Admin is the HTTP server by which a running connector is watched.
type Admin struct {
	// Listen is host:port of the status page, metrics, probes and state, in plain HTTP; off, there is none. Any address
	// but one of this machine alone (localhost, 127.0.0.1, [::1]) needs a token. Where nothing is set here and another
	// process has the port, the connector runs without the server, and says so; a port that is set and taken stops the
	// start. Port 0 takes a free one, which the log names.
	Listen string `yaml:"listen" default:"127.0.0.1:9440"`
	// TokenFile holds the token that requests must bear (Authorization: Bearer), but those of /healthz, /readyz and / (the
	// status page asks for it). One line end at its end is dropped.
	TokenFile string `yaml:"token_file" names:"secret"`
	// TokenEnv names the environment variable that holds the token.
	TokenEnv string `yaml:"token_env" names:"env"`
	// Pprof is host:port of Go's profiles (/debug/pprof/), an address of its own; unset, there are none. The same rules
	// of tokens hold for it.
	Pprof string `yaml:"pprof"`
}

// AdminOff is the value of admin.listen and admin.pprof without a server; an empty one says the same.
const AdminOff = "off"

// Addresses are those to listen on, each empty if there is nothing to serve.
func (a *Admin) Addresses() (listen, pprof string) { return served(a.Listen), served(a.Pprof) }

func served(address string) string {
	if address == AdminOff {
		return ""
	}
	return address
}

// Token reads the token from where it is kept; without one it is empty. The errors name the key, and neither the name of
// the file or variable nor any content.
func (a *Admin) Token() (Secret, error) {
	if a.TokenFile == "" && a.TokenEnv == "" {
		return Secret{}, nil
	}
	text, err := kept("admin.token", a.TokenFile, a.TokenEnv)
	if err == nil && text == "" {
		err = errors.New("reading the token of admin: it is empty")
	}
	return Secret{&text}, err
}

func (d *decoder) admin(a *Admin) {
	if a.TokenFile != "" && a.TokenEnv != "" {
		d.at("admin.token_file", "", "one of token_file and token_env, not both")
	}
	listen, pprof := a.Addresses()
	token := a.TokenFile != "" || a.TokenEnv != ""
	d.listener("admin.listen", listen, token)
	d.listener("admin.pprof", pprof, token)
	if _, port, _ := net.SplitHostPort(pprof); pprof != "" && pprof == listen && port != "0" {
		d.at("admin.pprof", pprof, "an address of its own, and not that of admin.listen")
	}
}

// listener checks an address to listen on, of which port 0 is any free one.
func (d *decoder) listener(key, address string, token bool) {
	if address == "" {
		return
	}
	host, port, err := net.SplitHostPort(address)
	if _, perr := strconv.ParseUint(port, 10, 16); err != nil || perr != nil {
		d.at(key, address, "host:port to listen on, or off")
		return
	}
	if !token && !Loopback(host) {
		d.at(key, address, "without a token only this machine may reach it: localhost, 127.0.0.1 or [::1]; for another address name a token with admin.token_file or admin.token_env")
	}
}

// Loopback says whether a host is reached from this machine alone.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
