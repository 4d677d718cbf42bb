package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestSourcesAreLookedAt names files and variables that are not there, or not what they should be.
func TestSourcesAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) string {
		t.Helper()
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	cert, key := certificate(t)
	word, empty, blank := write("word", "hunter2\n"), write("empty", ""), write("blank", "\n")
	goodCert, goodKey, text := write("cert.pem", cert), write("key.pem", key), write("text.pem", "no certificate")
	t.Setenv("ROWMARK_TEST_WORD", "hunter2")
	t.Setenv("ROWMARK_TEST_EMPTY", "")
	sasl := func(rest string) string {
		return "  sasl: {mechanism: PLAIN, username: u, " + rest + "}\n  assignment: static"
	}
	tls := func(rest string) string { return "  tls: {enabled: true, " + rest + "}\n  assignment: static" }
	proxy := func(rest string) string {
		return "  proxy: socks5://a:1\n  proxy_username: u\n  " + rest + "\n  assignment: static"
	}
	admin := func(rest string) string { return "  assignment: static\nadmin: {" + rest + "}" }
	registry := func(rest string) string {
		return "  assignment: static\nschema_registry: {urls: [https://a], " + rest + "}"
	}
	for _, c := range []struct {
		name, text string
		problems   []string // key and part of the text
	}{
		{"password in a file", sasl("password_file: " + word), nil},
		{"password in a variable", sasl("password_env: ROWMARK_TEST_WORD"), nil},
		{"no password file", sasl("password_file: " + in("hunter2")), []string{"kafka.sasl.password_file: the file that it names can't be read: no such file"}},
		{"password file is a folder", sasl("password_file: " + dir), []string{"kafka.sasl.password_file: the file that it names can't be read: it is a folder"}},
		{"empty password file", sasl("password_file: " + empty), []string{"kafka.sasl: reading the login of kafka.sasl: the user name or the password is empty"}},
		{"password file with a line end alone", sasl("password_file: " + blank), []string{"kafka.sasl: reading the login"}},
		{"no variable", sasl("password_env: ROWMARK_TEST_hunter2"), []string{"kafka.sasl.password_env: the environment variable that it names is not set or empty"}},
		{"empty variable", sasl("password_env: ROWMARK_TEST_EMPTY"), []string{"kafka.sasl.password_env: the environment"}},
		{"neither name nor password", "  sasl: {mechanism: PLAIN, username_file: " + in("a") + ", password_file: " + in("b") + "}\n  assignment: static", []string{"kafka.sasl.username_file: the file", "kafka.sasl.password_file: the file"}},
		{"admin token in a file", admin("token_file: " + word), nil},
		{"admin token in a variable", admin("token_env: ROWMARK_TEST_WORD"), nil},
		{"no admin token file", admin("token_file: " + in("hunter2")), []string{"admin.token_file: the file that it names can't be read: no such file"}},
		{"no admin token variable", admin("token_env: ROWMARK_TEST_hunter2"), []string{"admin.token_env: the environment variable that it names is not set or empty"}},
		{"empty admin token", admin("token_file: " + blank), []string{"admin.token: reading the token of admin: it is empty"}},
		{"certificates", tls("ca: " + goodCert + ", cert: " + goodCert + ", key: " + goodKey), nil},
		{"no certificates", tls("ca: " + in("a") + ", cert: " + in("b") + ", key: " + goodKey), []string{"kafka.tls.ca: \"" + in("a") + "\": the file", "kafka.tls.cert: \"" + in("b") + "\": the file"}},
		{"text for authorities", tls("ca: " + text), []string{"kafka.tls: reading the CA file: " + text + " holds no certificate in PEM form"}},
		{"text for a key", tls("cert: " + goodCert + ", key: " + text), []string{"kafka.tls: loading the client certificate"}},
		{"proxy's password", proxy("proxy_password_file: " + word), nil},
		{"no password for the proxy", proxy("proxy_password_env: ROWMARK_TEST_hunter2"), []string{"kafka.proxy_password_env: the environment"}},
		{"empty password for the proxy", proxy("proxy_password_file: " + empty), []string{"kafka.proxy: reading the login of kafka.proxy: the password is empty"}},
		{"registry's password", registry("username: u, password_file: " + word), nil},
		{"empty password for the registry", registry("username: u, password_file: " + blank), []string{"schema_registry: reading the login of schema_registry: the password is empty"}},
		{"no token for the registry", registry("token_env: ROWMARK_TEST_hunter2"), []string{"schema_registry.token_env: the environment"}},
		{"text for the registry's authorities", registry("tls: {ca: " + text + "}"), []string{"schema_registry.tls: reading the CA file: "}},
		{"empty password for the registry's proxy", registry("proxy: socks5://a:1, proxy_username: u, proxy_password_file: " + empty), []string{"schema_registry.proxy: reading the login of schema_registry.proxy"}},
		{"beside other faults", strings.Replace(sasl("password_file: "+in("a")), "assignment: static", "assignment: all", 1), []string{"kafka.sasl.password_file: the file", "kafka.assignment: \"all\": one of static, group"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write("rowmark.yaml", with(t, "  assignment: static", c.text))
			_, err := Validate(file)
			var found []string
			if p, ok := err.(Problems); ok {
				for _, x := range p {
					x.File, x.Line = "", 0
					found = append(found, strings.TrimPrefix(x.Error(), ": "))
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if len(found) != len(c.problems) {
				t.Fatalf("got %q, want %q", found, c.problems)
			}
			for i, want := range c.problems {
				if !strings.HasPrefix(found[i], want) || strings.Contains(found[i], "hunter2") {
					t.Errorf("got %q, want %q", found[i], want)
				}
			}
		})
	}
}

// certificate makes one that vouches for itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, bytes []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}))
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", keyDER)
}

// A setting that names a file or a variable says so, or nobody would look for it.
func TestSourcesAreTagged(t *testing.T) {
	found := 0
	var walk func(string, reflect.Type)
	walk = func(path string, typ reflect.Type) {
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			key := f.Tag.Get("yaml")
			if key == "" || key == "-" {
				continue
			}
			want := ""
			switch {
			case strings.HasSuffix(key, "_file"):
				want = "secret"
			case strings.HasSuffix(key, "_env"):
				want = "env"
			case strings.HasSuffix(path, "tls") && (key == "ca" || key == "cert" || key == "key"):
				want = "file"
			}
			if got := f.Tag.Get("names"); got != want {
				t.Errorf("%s has names:%q, want %q", join(path, key), got, want)
			} else if got != "" {
				found++
			}
			walk(join(path, key), f.Type)
		}
	}
	walk("", reflect.TypeFor[Config]())
	if found < 10 {
		t.Errorf("only %d found", found)
	}
}

// Problems that show later stand where their settings do.
func TestLaterProblemsHavePlaces(t *testing.T) {
	c, err := Parse("x.yaml", []byte(canonical), Override{"kafka.brokers", "b:1", "ROWMARK_KAFKA_BROKERS"})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"tables[0].topics[0]": `x.yaml:15: tables[0].topics[0]: "v": gone`,
		"kafka.brokers":       `ROWMARK_KAFKA_BROKERS: kafka.brokers: "v": gone`,
		"kafka.client_id":     `x.yaml:3: kafka.client_id: "v": gone`,
		"shutdown_timeout":    `x.yaml: shutdown_timeout: "v": gone`,
	} {
		if got := c.Problem(key, "v", "go%s", "ne").Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
