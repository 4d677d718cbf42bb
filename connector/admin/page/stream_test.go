package page

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowmark/connector/status"
)

// opened is a stream of a server, read event by event.
type opened struct {
	*bufio.Reader
	status int
	close  func()
}

func open(t *testing.T, url string) opened {
	t.Helper()
	answer, err := http.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return opened{bufio.NewReader(answer.Body), answer.StatusCode, func() { _ = answer.Body.Close() }}
}

// event reads one event, and returns its name and data; "" at the end of the stream.
func (o opened) event() (name, data string) {
	for {
		line, err := o.ReadString('\n')
		if err != nil {
			return "", ""
		}
		switch field, value, _ := strings.Cut(strings.TrimSpace(line), ": "); field {
		case "event":
			name = value
		case "data":
			data = value
		case "":
			if name != "" {
				return name, data
			}
		}
	}
}

func TestStreamBeginsWithTheHistoryAndGoesOn(t *testing.T) {
	f := newFeed(nil)
	server := httptest.NewServer(routes(f))
	t.Cleanup(server.Close)
	early := open(t, server.URL)
	f.take(world(2, 0))
	late := open(t, server.URL)
	if name, data := early.event(); name != "snapshot" || !strings.Contains(data, `"at":"2026-11-28T07:00:00Z"`) {
		t.Errorf("the early stream begins with %s %s", name, data)
	}
	if name, data := late.event(); name != "history" || !strings.Contains(data, `"lag":[1]`) {
		t.Errorf("the late stream begins with %s %s", name, data)
	}
	if name, _ := late.event(); name != "snapshot" {
		t.Errorf("the late stream goes on with %s", name)
	}
	f.take(world(2, 1))
	for _, o := range []opened{early, late} {
		if name, data := o.event(); name != "snapshot" || !strings.Contains(data, `"at":"2026-11-28T07:00:01Z"`) {
			t.Errorf("a stream goes on with %s %s", name, data)
		}
	}
}

// TestStreamOutlivesTheServersLimits has a server that gives a request and its answer less time than a stream needs.
func TestStreamOutlivesTheServersLimits(t *testing.T) {
	const limit = 300 * time.Millisecond
	f := newFeed(nil)
	server := httptest.NewUnstartedServer(routes(f))
	server.Config.ReadTimeout, server.Config.WriteTimeout = limit, limit
	server.Start()
	t.Cleanup(server.Close)
	o := open(t, server.URL)
	tick := time.NewTicker(limit / 2)
	defer tick.Stop()
	for i := range 5 {
		<-tick.C
		f.take(world(1, i))
		if name, _ := o.event(); name != "snapshot" {
			t.Fatalf("after %v the stream has %q", time.Duration(i+1)*limit/2, name)
		}
	}
}

func TestStreamsAreBounded(t *testing.T) {
	f := newFeed(nil)
	server := httptest.NewServer(routes(f))
	t.Cleanup(server.Close)
	var streams []opened
	for range maxStreams {
		o := open(t, server.URL)
		if o.status != http.StatusOK {
			t.Fatalf("stream %d got %d", len(streams), o.status)
		}
		streams = append(streams, o)
	}
	o := open(t, server.URL)
	line, _ := o.ReadString('\n')
	if o.status != http.StatusServiceUnavailable || !strings.HasPrefix(line, "16 status pages are open") {
		t.Errorf("one too many got %d %q", o.status, line)
	}
	streams[3].close()
	for deadline := time.Now().Add(10 * time.Second); open(t, server.URL).status != http.StatusOK; {
		if time.Now().After(deadline) {
			t.Fatal("a page that was closed made no room")
		}
	}
}

// TestStreamsEndWithTheServer lets a server shut down without waiting for the pages that are open.
func TestStreamsEndWithTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(Handler(ctx, func() *status.Snapshot { return world(1, 0) }))
	t.Cleanup(server.Close)
	o := open(t, server.URL)
	cancel()
	for name := "history"; name != ""; {
		name, _ = o.event()
	}
	if err := server.Config.Shutdown(t.Context()); err != nil {
		t.Errorf("shutting down: %v", err)
	}
}

// recorder is a connection that notes what was sent when, and until when that was allowed.
type recorder struct {
	http.ResponseWriter
	begun time.Time
	sent  []string
	limit time.Duration
}

func (r *recorder) Write(p []byte) (int, error) {
	first, _, _ := strings.Cut(string(p), "\n")
	r.sent = append(r.sent, time.Since(r.begun).String()+" "+first)
	return len(p), nil
}
func (r *recorder) Flush()                              {}
func (r *recorder) SetWriteDeadline(at time.Time) error { r.limit = time.Until(at); return nil }

func TestSilentStreamsHaveAHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 16*time.Second)
		defer cancel()
		f := newFeed(nil)
		f.take(world(1, 0))
		r := &recorder{ResponseWriter: httptest.NewRecorder(), begun: time.Now()}
		go func() {
			time.Sleep(7 * time.Second)
			f.take(world(1, 1))
		}()
		f.serve(r, httptest.NewRequestWithContext(ctx, http.MethodGet, "/events", nil))
		want := "0s event: history, 5s : still here, 7s event: snapshot, 12s : still here"
		if got := strings.Join(r.sent, ", "); got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
		if r.limit != writeLimit {
			t.Errorf("the last event had %v to leave, want %v", r.limit, writeLimit)
		}
	})
}
