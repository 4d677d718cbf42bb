package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/admin/admintest"
	"rowmark/connector/status"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"
)

// logged is a log that may be read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// inside is a run within the test's process.
type inside struct {
	log  logged
	stop func()
	code chan int
}

func runInside(t *testing.T, file string, args ...string) *inside {
	t.Helper()
	r := &inside{code: make(chan int, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = cancel
	a := newApp()
	root := a.root()
	a.log = zerolog.New(&r.log)
	root.PersistentPreRunE = nil
	root.SetErr(io.Discard)
	root.SetContext(ctx)
	go func() { r.code <- execute(root, append([]string{"run", "-c", file}, args...)) }()
	t.Cleanup(cancel)
	return r
}

var servingRE = regexp.MustCompile(`"address":"([^"]+)","message":"serving (admin\.\w+)"`)

// serving waits until the log names the address that is served for a key.
func (r *inside) serving(t *testing.T, key string) string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		for _, m := range servingRE.FindAllStringSubmatch(r.log.String(), -1) {
			if m[2] == key {
				return m[1]
			}
		}
	}
	t.Fatalf("nothing serves %s: %s", key, r.log.String())
	return ""
}

func TestRunIsWatched(t *testing.T) {
	file, producer := startServices(t)
	command("", "init", "-c", file).wants(t, 0, "", "")
	for p := range int32(2) {
		for i := range 50 {
			rec := &kgo.Record{Topic: "orders", Partition: p, Key: fmt.Appendf(nil, "k%d", i), Value: []byte(`{"status":"paid"}`)}
			if err := producer.ProduceSync(t.Context(), rec).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := runInside(t, file, "--set", "admin.listen=127.0.0.1:0", "--set", "admin.pprof=127.0.0.1:0")
	at := "http://" + r.serving(t, "admin.listen")
	profiles := "http://" + r.serving(t, "admin.pprof")
	var s status.Snapshot
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		code, body := admintest.Get(t, at+"/status.json")
		if err := json.Unmarshal([]byte(body), &s); code != 200 || err != nil {
			t.Fatalf("%d %s: %v", code, body, err)
		}
		if len(s.Sources) == 2 && s.Sources[0].Checkpoint == 50 && s.Sources[1].Checkpoint == 50 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never at the end: %s", body)
		}
	}
	for _, src := range s.Sources {
		if src.State != "running" || src.LagRecords != 0 || src.LagSeconds != 0 || src.Records != 50 || src.Epoch < 1 || src.End != 50 || time.Since(src.AdvancedAt) > time.Minute {
			t.Errorf("%+v", src)
		}
	}
	if len(s.Tables) != 1 || s.Tables[0].Name != "shop:orders" || s.Tables[0].Rows == 0 || s.Sink != "s" || s.Phase != status.Running {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		url  string
		code int
		body string
	}{
		{at + "/healthz", 200, `"ok":true`},
		{at + "/readyz", 200, `"ok":true`},
		{at + "/", 200, "<title>rowmark</title>"},
		{profiles + "/debug/pprof/goroutine?debug=1", 200, "goroutine profile"},
		{at + "/debug/pprof/", 404, ""},
		{profiles + "/status.json", 404, ""},
	} {
		if code, body := admintest.Get(t, c.url); code != c.code || !strings.Contains(body, c.body) {
			t.Errorf("%s: %d %s", c.url, code, body)
		}
	}
	events, err := http.Get(at + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = events.Body.Close() }()
	first := make([]byte, 200)
	if _, err := io.ReadFull(events.Body, first); err != nil || !strings.HasPrefix(string(first), "event: history\ndata: {") {
		t.Errorf("the status page gets %q: %v", first, err)
	}
	r.stop() // while the page is open
	if code := <-r.code; code != connector.ExitOK {
		t.Errorf("exit code %d: %s", code, r.log.String())
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(at, "http://")); err == nil {
		t.Error("the server outlives the run")
	}
	leftBehind(t)
}

// leftBehind reports goroutines of a run that has ended; those of the embedded services stay.
func leftBehind(t *testing.T) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	var left []string
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left = nil
		all := make([]byte, 4<<20)
		for stack := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
			if !strings.Contains(stack, "hbasetest") && !strings.Contains(stack, "testing.tRunner") && runRE.MatchString(stack) {
				left = append(left, stack)
			}
		}
		if left == nil {
			return
		}
	}
	t.Errorf("left behind by the run:\n%s", strings.Join(left, "\n\n"))
}

// runRE finds what a run begins: its own code, and that of its HTTP server.
var runRE = regexp.MustCompile(`(?m)^(created by )?(rowmark/(connector|kafka|hbase)|net/http\.\(\*(Server|conn)\))`)

// A run that waits for services that are away is alive, and not ready.
func TestProbesWhileConnecting(t *testing.T) {
	r := runInside(t, offline(t), "--set", "admin.listen=127.0.0.1:0", "--set", "hbase.start_timeout=1m")
	at := "http://" + r.serving(t, "admin.listen")
	if code, body := admintest.Get(t, at+"/healthz"); code != 200 {
		t.Errorf("%d %s", code, body)
	}
	if code, body := admintest.Get(t, at+"/readyz"); code != 503 || !strings.Contains(body, "connecting") {
		t.Errorf("%d %s", code, body)
	}
	r.stop()
	<-r.code
}

// A port that is taken stops only who asked for it.
func TestTakenAdminPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	address := taken.Addr().String()
	command("", "run", "-c", offline(t), "--set", "admin.listen="+address).wants(t, connector.ExitConfig, "", "admin.listen")
	command("", "run", "-c", offline(t), "--set", "admin.listen=off", "--set", "admin.pprof="+address).wants(t, connector.ExitConfig, "", "admin.pprof")

	ours, err := net.Listen("tcp", "127.0.0.1:9440")
	if err == nil {
		defer func() { _ = ours.Close() }()
	} // else another connector has it, which serves as well
	r := runInside(t, offline(t))
	if code := <-r.code; code != connector.ExitUnreached || !strings.Contains(r.log.String(), "running without the admin server") {
		t.Errorf("code %d: %s", code, r.log.String())
	}
}

// A window is reprocessed beside the connector whose port the file names; a port that is named for the run is meant.
func TestTakenAdminPortOfReprocess(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	address := taken.Addr().String()
	file, producer := startServices(t)
	if err := producer.ProduceSync(t.Context(), orderAt(0, "a", `{"status":"new"}`, "2026-11-02T00:00:00Z")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	command("", "init", "-c", file).wants(t, 0, "", "")
	command("", "run", "--once", "-c", file, "--set", "admin.listen=off").wants(t, 0, "", "")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var window []string
	for _, key := range []string{"admin.listen", "admin.pprof"} {
		other := map[string]string{"admin.listen": "admin.pprof", "admin.pprof": "admin.listen"}[key]
		window = []string{"--reprocess", "2026-11-02/2026-11-03", "--reprocess-into", "shop:" + key}
		named := writeFile(t, "named.yaml", fmt.Sprintf("admin: {%s: \"%s\"}\n", strings.TrimPrefix(key, "admin."), address)+string(text))
		r := runInside(t, named, append(window, "--set", other+"=off", "--reprocess-id", key)...)
		if code := <-r.code; code != 0 || !strings.Contains(r.log.String(), "running without the admin server; give this process a port of its own with "+key) {
			t.Errorf("%s: code %d: %s", key, code, r.log.String())
		}
		command("", append([]string{"run", "-c", named, "--set", other + "=off", "--set", key + "=" + address}, window...)...).wants(t, connector.ExitConfig, "", key)
	}
	t.Setenv("ROWMARK_ADMIN_LISTEN", address)
	command("", append([]string{"run", "-c", file}, window...)...).wants(t, connector.ExitConfig, "", "admin.listen")
}

func TestAdminToken(t *testing.T) {
	token := writeFile(t, "token", "hunter2\n")
	r := runInside(t, offline(t), "--set", "admin.listen=0.0.0.0:0", "--set", "admin.token_file="+token, "--set", "hbase.start_timeout=1m")
	_, port, _ := net.SplitHostPort(r.serving(t, "admin.listen"))
	at := "http://127.0.0.1:" + port
	if code, _ := admintest.Get(t, at+"/status.json"); code != 401 {
		t.Errorf("without the token: %d", code)
	}
	if code, _ := admintest.Get(t, at+"/status.json", "Authorization: Bearer hunter2"); code != 200 {
		t.Errorf("with the token: %d", code)
	}
	if code, _ := admintest.Get(t, at+"/healthz"); code != 200 {
		t.Errorf("health without the token: %d", code)
	}
	if code, body := admintest.Get(t, at+"/"); code != 200 || !strings.Contains(body, `id="token"`) {
		t.Errorf("the page without the token: %d", code)
	}
	if code, _ := admintest.Get(t, at+"/events"); code != 401 {
		t.Errorf("the page's stream without the token: %d", code)
	}
	r.stop()
	<-r.code
	if strings.Contains(r.log.String(), "hunter2") {
		t.Error("the token is logged")
	}
	if err := os.WriteFile(token, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command("", "run", "-c", offline(t), "--set", "admin.token_file="+token).wants(t, connector.ExitConfig, "", "token")
}
