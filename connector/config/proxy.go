package config

import (
	"errors"

	"rowmark/connector/socks"
)

// Proxy is how one side is reached through a SOCKS5 proxy.
type Proxy struct {
	URL string // socks5://host:port; empty: no proxy

	section                string // kafka, hbase or schema_registry, for messages
	username, file, envVar string
}

// Through gives the proxy of the brokers.
func (k *Kafka) Through() Proxy {
	return Proxy{k.Proxy, "kafka", k.ProxyUsername, k.ProxyPasswordFile, k.ProxyPasswordEnv}
}

// Through gives the proxy of ZooKeeper, the master and the region servers.
func (h *HBase) Through() Proxy {
	return Proxy{h.Proxy, "hbase", h.ProxyUsername, h.ProxyPasswordFile, h.ProxyPasswordEnv}
}

// proxy checks the settings of one proxy.
func (d *decoder) proxy(p Proxy) {
	login := p.username != "" || p.file != "" || p.envVar != ""
	key := p.section + ".proxy"
	switch {
	case p.URL == "" && login:
		d.at(key, "", "settings of its login stand here, and no proxy: set proxy: socks5://host:port")
		return
	case p.URL == "":
		return
	}
	if _, err := socks.Parse(p.URL); err != nil {
		// The text is not shown: somebody may have put a password into it.
		d.at(key, "", "a proxy is socks5://host:port; a login belongs to proxy_username and proxy_password_file or proxy_password_env")
	}
	switch {
	case !login:
	case p.username == "" || len(p.username) > 255:
		d.at(key+"_username", "", "a login at a proxy needs it, with at most 255 bytes")
	case (p.file == "") == (p.envVar == ""):
		d.at(key+"_password_file", "", "a login at a proxy needs exactly one of proxy_password_file and proxy_password_env")
	}
}

// Dialer makes the dialer; nil without a proxy. It reads the password from where it is kept. The errors name the
// key, and neither the name of the file or variable nor any content.
func (p Proxy) Dialer() (*socks.Dialer, error) {
	if p.URL == "" {
		return nil, nil
	}
	if p.username == "" {
		return socks.New(p.URL, nil)
	}
	password, err := kept(p.section+".proxy_password", p.file, p.envVar)
	if err != nil {
		return nil, err
	}
	if password == "" {
		return nil, errors.New("reading the login of " + p.section + ".proxy: the password is empty")
	}
	return socks.New(p.URL, &socks.Login{Username: p.username, Password: password})
}
