package config

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// SchemaRegistry is where the schemas of Avro and Protobuf records are read: Confluent's, or another that speaks its
// REST API.
type SchemaRegistry struct {
	// URLs are those of one registry, tried in turn, as in http://localhost:8081. Of Apicurio it is the path
	// /apis/ccompat/v7. Unset, no record can be of format avro (but for a schema in a file) or protobuf.
	URLs []string `yaml:"urls"`
	// Username is the name for a registry that asks for a login (basic).
	Username string `yaml:"username"`
	// PasswordFile holds the password; one line end at its end is dropped.
	PasswordFile string `yaml:"password_file" names:"secret"`
	// PasswordEnv names the environment variable that holds the password.
	PasswordEnv string `yaml:"password_env" names:"env"`
	// TokenFile holds a bearer token, in place of a login.
	TokenFile string `yaml:"token_file" names:"secret"`
	// TokenEnv names the environment variable that holds the token.
	TokenEnv string `yaml:"token_env" names:"env"`
	// Timeout is the deadline of one request. What failed is asked again, with pauses up to 30s, while the partition
	// waits.
	Timeout time.Duration `yaml:"timeout" default:"10s"`
	TLS     RegistryTLS   `yaml:"tls"`
	// Proxy is a SOCKS5 proxy, socks5://host:port, that all connections to the registry go through. It resolves the
	// host names.
	Proxy string `yaml:"proxy"`
	// ProxyUsername is the name for a proxy that asks for a login.
	ProxyUsername string `yaml:"proxy_username"`
	// ProxyPasswordFile holds the password for it; one line end at its end is dropped.
	ProxyPasswordFile string `yaml:"proxy_password_file" names:"secret"`
	// ProxyPasswordEnv names the environment variable that holds it.
	ProxyPasswordEnv string `yaml:"proxy_password_env" names:"env"`
}

// RegistryTLS is the encryption of https URLs.
type RegistryTLS struct {
	// CA is a PEM file of the authorities trusted; unset, those of the system.
	CA string `yaml:"ca" names:"file"`
	// Cert and Key are PEM files, for a registry that asks for a client certificate.
	Cert string `yaml:"cert" names:"file"`
	Key  string `yaml:"key" names:"file"`
	// ServerName is the name expected in the registry's certificate; unset, the host of the URL.
	ServerName string `yaml:"server_name"`
}

// Through gives the proxy of the registry.
func (r *SchemaRegistry) Through() Proxy {
	return Proxy{r.Proxy, "schema_registry", r.ProxyUsername, r.ProxyPasswordFile, r.ProxyPasswordEnv}
}

// Credentials reads the password or the token from where it is kept; both are empty without a login. The errors name the
// key, and neither the name of the file or variable nor any content.
func (r *SchemaRegistry) Credentials() (password, token Secret, err error) {
	read := func(key, file, variable string) (Secret, error) {
		if file == "" && variable == "" {
			return Secret{}, nil
		}
		text, err := kept("schema_registry."+key, file, variable)
		if err == nil && text == "" {
			err = fmt.Errorf("reading the login of schema_registry: the %s is empty", key)
		}
		return Secret{&text}, err
	}
	password, err1 := read("password", r.PasswordFile, r.PasswordEnv)
	token, err2 := read("token", r.TokenFile, r.TokenEnv)
	return password, token, errors.Join(err1, err2)
}

func (d *decoder) registry(r *SchemaRegistry) {
	for i, text := range r.URLs {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			// The text is not shown: somebody may have put a password into it.
			d.at(fmt.Sprintf("schema_registry.urls[%d]", i), "", "a URL such as http://localhost:8081, without a user, password or query")
		}
	}
	login, token := r.Username != "" || r.PasswordFile != "" || r.PasswordEnv != "", r.TokenFile != "" || r.TokenEnv != ""
	switch {
	case len(r.URLs) == 0 && (login || token || r.TLS != (RegistryTLS{})):
		d.at("schema_registry.urls", "", "settings of the registry stand here, and not where it is")
	case login && token:
		d.at("schema_registry.username", "", "a login or a token, not both")
	case login && r.Username == "":
		d.at("schema_registry.username", "", "a login needs it")
	case login && (r.PasswordFile == "") == (r.PasswordEnv == ""):
		d.at("schema_registry.password_file", "", "a login needs exactly one of password_file and password_env")
	case r.TokenFile != "" && r.TokenEnv != "":
		d.at("schema_registry.token_file", "", "one of token_file and token_env, not both")
	}
	if (r.TLS.Cert == "") != (r.TLS.Key == "") {
		d.at("schema_registry.tls.cert", "", "a client certificate needs both cert and key")
	}
	if r.Timeout <= 0 {
		d.at("schema_registry.timeout", "", "it must be more than 0")
	}
	d.proxy(r.Through())
}
