package registry_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/connector/decode"
	"rowmark/connector/registry"
	"rowmark/connector/registry/registrytest"
)

func opened(conf registry.Config) *registry.Client {
	if conf.Timeout == 0 {
		conf.Timeout = 10 * time.Second
	}
	c := new(registry.Client)
	c.Open(conf)
	return c
}

func start(t *testing.T) *registrytest.Server {
	s := registrytest.Start()
	t.Cleanup(s.Close)
	return s
}

// get asks as the connector does: what is not known is waited for, and looked up again.
func get(ctx context.Context, c *registry.Client, id uint32) (*decode.Schema, error) {
	s, err := c.Schema(id)
	var later *decode.Later
	if !errors.As(err, &later) {
		return s, err
	}
	if err := later.Wait(ctx); err != nil {
		return nil, err
	}
	return c.Schema(id)
}

func TestSchemasComeWithWhatTheyReferTo(t *testing.T) {
	s := start(t)
	s.Register("status", registrytest.Schema{Schema: `"a"`})
	s.Register("status", registrytest.Schema{Schema: `"b"`})
	s.Register("shop/line ü", registrytest.Schema{Schema: `"line"`, References: []registrytest.Reference{{Name: "shop.Status", Subject: "status", Version: 2}}})
	id := s.Register("order", registrytest.Schema{Type: "PROTOBUF", Schema: `order`, References: []registrytest.Reference{{Name: "line.proto", Subject: "shop/line ü", Version: 1}, {Name: "status", Subject: "status", Version: 2}}})
	status := &decode.Schema{Kind: "AVRO", Text: `"b"`}
	want := &decode.Schema{Kind: "PROTOBUF", Text: "order", References: []decode.Reference{
		{Name: "line.proto", Schema: &decode.Schema{Kind: "AVRO", Text: `"line"`, References: []decode.Reference{{Name: "shop.Status", Schema: status}}}},
		{Name: "status", Schema: status},
	}}
	c := opened(registry.Config{URLs: []string{s.URL}})
	for range 2 {
		got, err := get(t.Context(), c, uint32(id))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for path, want := range map[string]int{"/schemas/ids/4": 1, "/subjects/status/versions/2": 1, "/subjects/shop/line ü/versions/1": 1} {
		if n := s.Requests(path); n != want {
			t.Errorf("%s was asked %d times, want %d", path, n, want)
		}
	}
}

// Only a registry's own word makes an id unknown. All else may pass, and is asked again.
func TestWhatFailsIsAskedAgain(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"not served": func(w http.ResponseWriter) {
			http.Error(w, `{"error_code":50002,"message":"secret"}`, http.StatusInternalServerError)
		},
		"overloaded":         func(w http.ResponseWriter) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"no login":           func(w http.ResponseWriter) { http.Error(w, `{"error_code":40101}`, http.StatusUnauthorized) },
		"a wrong path":       func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusNotFound) },
		"another code":       func(w http.ResponseWriter) { http.Error(w, `{"error_code":404}`, http.StatusNotFound) },
		"no JSON":            func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>secret")) },
		"redirect elsewhere": func(w http.ResponseWriter) { w.Header().Set("Location", "http://localhost:1/"); w.WriteHeader(302) },
		"cut connection":     func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.Before(func(w http.ResponseWriter, _ *http.Request) bool { answer(w); return false })
			c := opened(registry.Config{URLs: []string{s.URL}})
			s.Register("x", registrytest.Schema{Schema: `"int"`})
			_, err := get(t.Context(), c, 1)
			if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "schema 1") || !strings.Contains(err.Error(), s.URL) {
				t.Errorf("%v", err)
			}
			var unknown *registry.UnknownError
			if errors.As(err, &unknown) {
				t.Errorf("it passes for unknown: %v", err)
			}
			s.Before(nil)
			if got, err := get(t.Context(), c, 1); err != nil || got.Text != `"int"` {
				t.Errorf("afterwards: %v, %v", got, err)
			}
		})
	}
}

func TestAnUnknownIDIsRemembered(t *testing.T) {
	s := start(t)
	c := opened(registry.Config{URLs: []string{s.URL, s.URL}})
	for range 3 {
		var unknown *registry.UnknownError
		if _, err := get(t.Context(), c, 1<<31-1); !errors.As(err, &unknown) || unknown.ID != 1<<31-1 {
			t.Errorf("%v", err)
		}
	}
	if n := s.Requests("/schemas/ids/2147483647"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// A reference that is missing is the registry's fault and not the record's.
	s.Register("x", registrytest.Schema{Schema: `"int"`, References: []registrytest.Reference{{Name: "a", Subject: "nowhere", Version: 1}}})
	var unknown *registry.UnknownError
	if _, err := get(t.Context(), c, 1); err == nil || errors.As(err, &unknown) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v", err)
	}
}

func TestReferencesMayNotGoInACircle(t *testing.T) {
	s := start(t)
	s.Register("a", registrytest.Schema{Schema: `"int"`, References: []registrytest.Reference{{Name: "b", Subject: "b", Version: 1}}})
	s.Register("b", registrytest.Schema{Schema: `"int"`, References: []registrytest.Reference{{Name: "a", Subject: "a", Version: 1}}})
	if _, err := get(t.Context(), opened(registry.Config{URLs: []string{s.URL}}), 1); err == nil || !strings.Contains(err.Error(), "refers to itself") {
		t.Errorf("%v", err)
	}
}

func TestManyAskOnce(t *testing.T) {
	s := start(t)
	s.Register("x", registrytest.Schema{Schema: `"int"`})
	asked, answer := make(chan bool), make(chan bool)
	s.Before(func(http.ResponseWriter, *http.Request) bool {
		asked <- true
		<-answer
		return true
	})
	c := opened(registry.Config{URLs: []string{s.URL}})
	// The first one is stopped while it waits; the others get what is asked for them.
	ctx, stop := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := get(ctx, c, 1)
		first <- err
	}()
	<-asked
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := get(t.Context(), c, 1); err != nil || got.Text != `"int"` {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	stop()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that was stopped: %v", err)
	}
	answer <- true
	<-asked
	answer <- true
	all.Wait()
	if n := s.Requests("/schemas/ids/1"); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestURLsAreTriedInTurn(t *testing.T) {
	away, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = away.Close()
	sick, well := start(t), start(t)
	sick.Before(func(w http.ResponseWriter, _ *http.Request) bool {
		http.Error(w, "", http.StatusServiceUnavailable)
		return false
	})
	well.Register("a/b", registrytest.Schema{Schema: `"int"`})
	well.Register("x", registrytest.Schema{Schema: `"int"`, References: []registrytest.Reference{{Name: "b", Subject: "a/b", Version: 1}}})
	c := opened(registry.Config{URLs: []string{"http://" + away.Addr().String(), sick.URL, well.URL}})
	if got, err := get(t.Context(), c, 2); err != nil || len(got.References) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLogins(t *testing.T) {
	for _, r := range []struct {
		conf registry.Config
		want string
	}{
		{registry.Config{}, ""},
		{registry.Config{Username: "user", Password: "pass"}, "Basic dXNlcjpwYXNz"},
		{registry.Config{Token: "abc"}, "Bearer abc"},
	} {
		s := start(t)
		s.Register("x", registrytest.Schema{Schema: `"int"`})
		s.Before(func(_ http.ResponseWriter, req *http.Request) bool {
			if got := req.Header.Get("Authorization"); got != r.want {
				t.Errorf("authorization %q, want %q", got, r.want)
			}
			return true
		})
		r.conf.URLs = []string{s.URL + "/"}
		if _, err := get(t.Context(), opened(r.conf), 1); err != nil {
			t.Error(err)
		}
	}
}

func TestTLSAndDial(t *testing.T) {
	s := registrytest.New()
	s.StartTLS()
	t.Cleanup(s.Close)
	s.Register("x", registrytest.Schema{Schema: `"int"`})
	if _, err := get(t.Context(), opened(registry.Config{URLs: []string{s.URL}}), 1); err == nil {
		t.Error("an authority that is not known is trusted")
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(s.Certificate())
	conf := registry.Config{
		URLs: []string{"https://example.com/base"}, TLS: &tls.Config{RootCAs: trusted},
		Dial: func(ctx context.Context, address string) (net.Conn, error) {
			if address != "example.com:443" {
				return nil, fmt.Errorf("dialled %s", address)
			}
			var d net.Dialer
			return d.DialContext(ctx, "tcp", s.Listener.Addr().String())
		},
	}
	s.Before(func(_ http.ResponseWriter, req *http.Request) bool {
		req.URL.Path = strings.TrimPrefix(req.URL.Path, "/base")
		return true
	})
	if _, err := get(t.Context(), opened(conf), 1); err != nil {
		t.Error(err)
	}
}

func TestAStopEndsTheWait(t *testing.T) {
	s := start(t)
	asked, stopped := make(chan bool), make(chan bool)
	s.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		asked <- true
		<-r.Context().Done()
		close(stopped)
		return false
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	c := opened(registry.Config{URLs: []string{s.URL}})
	go func() {
		_, err := get(ctx, c, 1)
		done <- err
	}()
	<-asked
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-stopped
}

func TestNothingIsAskedBeforeOpen(t *testing.T) {
	if _, err := get(t.Context(), new(registry.Client), 1); err == nil || !strings.Contains(err.Error(), "not open") {
		t.Errorf("%v", err)
	}
}
