package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheExamplesRegistryIsValid takes the comments from the section of the example, with a login and with a token.
func TestTheExamplesRegistryIsValid(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), "# schema_registry:\n")
	if !ok {
		t.Fatal("the example has no such section")
	}
	section, after, _ := strings.Cut(rest, "\n\n")
	section = "schema_registry:\n" + strings.ReplaceAll("\n"+section, "\n# ", "\n")[1:] + "\n\n"
	without := func(keys ...string) string {
		out := ""
		for line := range strings.Lines(section) {
			key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
			drop := false
			for _, k := range keys {
				drop = drop || k == key
			}
			if !drop {
				out += line
			}
		}
		return out
	}
	for _, section := range []string{
		without("password_file", "token_file", "token_env", "proxy_password_env"),
		without("password_env", "token_file", "token_env", "proxy_password_file"),
		without("username", "password_file", "password_env", "token_env", "proxy_password_env"),
		without("username", "password_file", "password_env", "token_file", "proxy_password_env"),
	} {
		c, err := Parse("x.yaml", []byte(strings.Replace(before+section+after, "value: {format: json}", "value: {format: avro}", 1)))
		if err != nil {
			t.Errorf("%s\n%v", section, err)
		} else if c.Schemas == nil {
			t.Errorf("%s\ngives no registry", section)
		}
	}
}

func TestRegistryFaultsAreNamed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.avsc")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	registry := func(lines ...string) string {
		return "schema_registry:\n  " + strings.Join(lines, "\n  ") + "\ndelivery:"
	}
	value := func(text string) string { return "value: {" + text + "}" }
	const urls = "urls: [http://a:1]"
	for _, c := range []struct{ name, old, text, key, reason string }{
		{"no registry", "value: {format: json}", value("format: avro"), "tables[0].value.format", "schema_registry.urls"},
		{"no registry for a key", "key: {format: string}", "key: {format: protobuf}", "tables[0].key.format", "schema_registry.urls"},
		{"a framing not known", "value: {format: json}", value("format: avro, framing: file"), "tables[0].value.framing", "one of confluent, single-object, none"},
		{"a framing of JSON", "value: {format: json}", value("format: json, framing: none"), "tables[0].value.framing", "belongs to format: avro"},
		{"no schema", "value: {format: json}", value("format: avro, framing: none"), "tables[0].value.schema", "it is needed"},
		{"a schema beside the registry", "value: {format: json}", value("format: avro, schema: " + examplePath), "tables[0].value.schema", "framing: single-object or none"},
		{"no such schema", "value: {format: json}", value("format: avro, framing: none, schema: nowhere.avsc"), "tables[0].value.schema", "no such file"},
		{"an empty schema", "value: {format: json}", value("format: avro, framing: none, schema: " + empty), "tables[0].value.schema", "it is empty"},
		{"a schema that is none", "value: {format: json}", value("format: avro, framing: none, schema: " + examplePath), "tables[0].value.schema", "no JSON"},
		{"a URL of another kind", "delivery:", registry("urls: [ftp://a:1]"), "schema_registry.urls[0]", "http://localhost:8081"},
		{"a login in the URL", "delivery:", registry("urls: [http://u:hunter2@a:1]"), "schema_registry.urls[0]", "without a user"},
		{"settings without a URL", "delivery:", registry("username: u", "password_env: X"), "schema_registry.urls", "not where it is"},
		{"a user without a password", "delivery:", registry(urls, "username: u"), "schema_registry.password_file", "exactly one"},
		{"a password without a user", "delivery:", registry(urls, "password_env: X"), "schema_registry.username", "needs it"},
		{"two passwords", "delivery:", registry(urls, "username: u", "password_env: X", "password_file: x"), "schema_registry.password_file", "exactly one"},
		{"a login and a token", "delivery:", registry(urls, "username: u", "password_env: X", "token_env: Y"), "schema_registry.username", "not both"},
		{"two tokens", "delivery:", registry(urls, "token_env: X", "token_file: x"), "schema_registry.token_file", "not both"},
		{"half a certificate", "delivery:", registry(urls, "tls: {cert: a.pem}"), "schema_registry.tls.cert", "both cert and key"},
		{"no time", "delivery:", registry(urls, "timeout: 0s"), "schema_registry.timeout", "more than 0"},
		{"a password here", "delivery:", registry(urls, "password: hunter2"), "schema_registry.password", "does not belong in this file"},
		{"a proxy's login alone", "delivery:", registry(urls, "proxy_username: u"), "schema_registry.proxy", "no proxy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(with(t, c.old, c.text)))
			if err == nil {
				t.Fatal("accepted")
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("it shows what may be a password: %v", err)
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.Contains(line, ": "+c.key+": ") && strings.Contains(line, c.reason) {
					return
				}
			}
			t.Errorf("got %v\nwant %s… %s", err, c.key, c.reason)
		})
	}
}

func TestRegistryCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hunter2")
	if err := os.WriteFile(file, []byte("word\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROWMARK_TEST_TOKEN", "abc")
	t.Setenv("ROWMARK_TEST_EMPTY", "")
	for _, c := range []struct {
		r                       SchemaRegistry
		password, token, reason string
	}{
		{SchemaRegistry{}, "", "", ""},
		{SchemaRegistry{Username: "u", PasswordFile: file}, "word", "", ""},
		{SchemaRegistry{TokenEnv: "ROWMARK_TEST_TOKEN"}, "", "abc", ""},
		{SchemaRegistry{TokenFile: file + "x"}, "", "", "schema_registry.token_file"},
		{SchemaRegistry{PasswordEnv: "ROWMARK_TEST_NOT_SET"}, "", "", "schema_registry.password_env"},
		{SchemaRegistry{PasswordEnv: "ROWMARK_TEST_EMPTY"}, "", "", "the password is empty"},
	} {
		password, token, err := c.r.Credentials()
		if c.reason != "" {
			if err == nil || !strings.Contains(err.Error(), c.reason) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%+v: %v, want %s", c.r, err, c.reason)
			}
			continue
		}
		if err != nil || password.Reveal() != c.password || token.Reveal() != c.token {
			t.Errorf("%+v: %q, %q, %v", c.r, password.Reveal(), token.Reveal(), err)
		}
	}
}
