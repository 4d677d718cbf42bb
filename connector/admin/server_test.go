package admin

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// start gives the address of a server with a page for those who may, an open one, and an action.
func start(t *testing.T, token string) string {
	t.Helper()
	s := New(Config{Key: "admin.listen", Address: "127.0.0.1:0", Token: token, Log: zerolog.Nop()})
	said := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				http.Error(w, "too much", http.StatusRequestEntityTooLarge)
				return
			}
			_, _ = io.WriteString(w, text)
		})
	}
	s.Handle("GET /state", said("state"))
	s.Handle("POST /act", said("done"))
	s.HandleOpen("GET /open", said("open"))
	s.HandleProfiles()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.Addr()
}

func TestWhoMayAsk(t *testing.T) {
	plain, secret := start(t, ""), start(t, "hunter2")
	for _, c := range []struct {
		name, at, request string // method and path
		headers           []string
		body              string
		code              int
	}{
		{"without a token", plain, "GET /state", nil, "", 200},
		{"by the name of this machine", plain, "GET /state", []string{"Host: localhost"}, "", 200},
		{"by its name and a port", plain, "GET /state", []string{"Host: LOCALHOST:9440"}, "", 200},
		{"by IPv6", plain, "GET /state", []string{"Host: [::1]:9440"}, "", 200},
		{"by IPv6 without a port", plain, "GET /state", []string{"Host: [::1]"}, "", 200},
		{"by a name that was pointed here", plain, "GET /state", []string{"Host: evil.example"}, "", 421},
		{"by a name that begins like this machine's", plain, "GET /state", []string{"Host: localhost.evil.example"}, "", 421},
		{"by an address that begins like this machine's", plain, "GET /state", []string{"Host: 127.0.0.1.evil.example:80"}, "", 421},
		{"an open page by a name that was pointed here", plain, "GET /open", []string{"Host: evil.example"}, "", 421},
		{"profiles by a name that was pointed here", plain, "GET /debug/pprof/cmdline", []string{"Host: evil.example"}, "", 421},
		{"by an empty name", plain, "GET /state", []string{"Host:"}, "", 421},
		{"an action as a form sends it", plain, "POST /act", []string{"Content-Type: application/x-www-form-urlencoded"}, "a=b", 403},
		{"an action as text", plain, "POST /act", []string{"Content-Type: text/plain"}, "{}", 403},
		{"an action without a type", plain, "POST /act", nil, "", 403},
		{"an action with JSON hidden in the type", plain, "POST /act", []string{"Content-Type: text/plain; application/json"}, "{}", 403},
		{"an action as JSON", plain, "POST /act", []string{"Content-Type: application/json; charset=utf-8"}, "{}", 200},
		{"an action with our header", plain, "POST /act", []string{"X-Rowmark: 1"}, "", 200},
		{"an action by GET", plain, "GET /act", nil, "", 405},
		{"a question to an action by another site", plain, "OPTIONS /act", []string{"Origin: http://evil.example", "Access-Control-Request-Method: POST"}, "", 405},
		{"more than fits", plain, "POST /act", []string{"X-Rowmark: 1"}, strings.Repeat("a", bodyBytes+1), 413},
		{"what is not there", plain, "GET /none", nil, "", 404},
		{"profiles", plain, "GET /debug/pprof/goroutine?debug=1", nil, "", 200},

		{"no token", secret, "GET /state", nil, "", 401},
		{"another token", secret, "GET /state", []string{"Authorization: Bearer hunter3"}, "", 401},
		{"a longer token", secret, "GET /state", []string{"Authorization: Bearer hunter22"}, "", 401},
		{"an empty token", secret, "GET /state", []string{"Authorization: Bearer "}, "", 401},
		{"another scheme", secret, "GET /state", []string{"Authorization: Basic hunter2"}, "", 401},
		{"the token alone", secret, "GET /state", []string{"Authorization: hunter2"}, "", 401},
		{"the token in the URL", secret, "GET /state?token=hunter2", nil, "", 401},
		{"the token", secret, "GET /state", []string{"Authorization: Bearer hunter2"}, "", 200},
		{"the token, by any name", secret, "GET /state", []string{"Host: rowmark.example", "Authorization: bearer hunter2"}, "", 200},
		{"an open page without it", secret, "GET /open", []string{"Host: 10.1.2.3:9440"}, "", 200},
		{"profiles without it", secret, "GET /debug/pprof/heap", nil, "", 401},
		{"an action without it", secret, "POST /act", []string{"X-Rowmark: 1"}, "", 401},
		{"an action with it", secret, "POST /act", []string{"X-Rowmark: 1", "Authorization: Bearer hunter2"}, "", 200},
		{"an action with it, as a form", secret, "POST /act", []string{"Authorization: Bearer hunter2", "Content-Type: multipart/form-data"}, "", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, path, _ := strings.Cut(c.request, " ")
			req, err := http.NewRequestWithContext(t.Context(), method, "http://"+c.at+path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range c.headers {
				key, value, _ := strings.Cut(h, ":")
				if key == "Host" {
					req.Host = strings.TrimSpace(value)
					if req.Host == "" {
						req.Host = " "
					}
					continue
				}
				req.Header.Set(key, strings.TrimSpace(value))
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			if resp.StatusCode != c.code {
				t.Errorf("answered %s, want %d", resp.Status, c.code)
			}
			for key := range resp.Header {
				if strings.HasPrefix(key, "Access-Control") {
					t.Errorf("other sites are told %s", key)
				}
			}
		})
	}
}

func TestTakenPortIsNamed(t *testing.T) {
	taken := start(t, "")
	err := New(Config{Key: "admin.listen", Address: taken, Log: zerolog.Nop()}).Start()
	if !errors.Is(err, ErrPortTaken) || !strings.Contains(err.Error(), taken+" (admin.listen)") {
		t.Errorf("got %v", err)
	}
	err = New(Config{Key: "admin.pprof", Address: "192.0.2.1:1", Log: zerolog.Nop()}).Start()
	if err == nil || errors.Is(err, ErrPortTaken) {
		t.Errorf("an address that is not of this machine: got %v", err)
	}
}

// A page that streams ends with the server, and nothing is left behind.
func TestCloseEndsStreams(t *testing.T) {
	s := New(Config{Address: "127.0.0.1:0", Log: zerolog.Nop()})
	over := make(chan struct{})
	s.Handle("GET /stream", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(over)
	}))
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get("http://" + s.Addr() + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	silent, err := net.Dial("tcp", s.Addr()) // sends no request
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	began := time.Now()
	s.Close()
	<-over
	if took := time.Since(began); took > 2*stopTimeout {
		t.Errorf("closing took %s", took)
	}
	if _, err := net.Dial("tcp", s.Addr()); err == nil {
		t.Error("the port is still open")
	}
}
