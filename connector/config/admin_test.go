package config

import "testing"

func TestAdminAddresses(t *testing.T) {
	for _, c := range []struct{ text, listen, pprof string }{
		{"", "127.0.0.1:9440", ""},
		{"admin: {listen: off, pprof: \"off\"}\n", "", ""},
		{"admin: {listen: \"\"}\n", "", ""},
		{"admin: {listen: \"[::1]:1\", pprof: \"127.1.2.3:0\"}\n", "[::1]:1", "127.1.2.3:0"},
		{"admin: {listen: localhost:0, pprof: localhost:0}\n", "localhost:0", "localhost:0"},
		{"admin: {listen: \":9440\", token_env: X}\n", ":9440", ""},
	} {
		got, err := Parse("x.yaml", []byte(c.text+canonical))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if listen, pprof := got.Admin.Addresses(); listen != c.listen || pprof != c.pprof {
			t.Errorf("%q: listens on %q and %q, want %q and %q", c.text, listen, pprof, c.listen, c.pprof)
		}
		if got.Sets("admin.listen") != (c.text != "") {
			t.Errorf("%q: whether it is set is not known", c.text)
		}
	}
}
