package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/admin"
	"rowmark/connector/admin/admintest"
	"rowmark/connector/status"

	"github.com/twmb/franz-go/pkg/kgo"
)

// flowRun is a connector that runs, and a producer of its topic.
type flowRun struct {
	*testing.T
	run      *inside
	file, at string
	producer *kgo.Client
}

func newFlowRun(t *testing.T, args ...string) *flowRun {
	t.Helper()
	file, producer := startServices(t)
	command("", "init", "-c", file).wants(t, 0, "", "")
	f := &flowRun{T: t, file: file, producer: producer}
	f.produce(0, 10)
	f.produce(1, 10)
	f.run = runInside(t, file, append([]string{"--set", "admin.listen=127.0.0.1:0"}, args...)...)
	f.at = f.run.serving(t, "admin.listen")
	return f
}

func (f *flowRun) produce(partition int32, n int) {
	f.Helper()
	for range n {
		rec := &kgo.Record{Topic: "orders", Partition: partition, Key: []byte("k"), Value: []byte(`{"status":"paid"}`)}
		if err := f.producer.ProduceSync(f.Context(), rec).FirstErr(); err != nil {
			f.Fatal(err)
		}
	}
}

func (f *flowRun) order(args ...string) result {
	return command("", append(args, "-c", f.file, "--set", "admin.listen="+f.at)...)
}

// source waits until a partition stands as it should.
func (f *flowRun) source(partition int, ok func(*status.Source) bool) {
	f.Helper()
	var s status.Snapshot
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		_, body := admintest.Get(f.T, "http://"+f.at+"/status.json")
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			f.Fatal(err)
		}
		if len(s.Sources) == 2 && ok(&s.Sources[partition]) {
			return
		}
	}
	f.Fatalf("waited in vain: %+v", s.Sources)
}

func at(checkpoint int64) func(*status.Source) bool {
	return func(s *status.Source) bool { return s.Checkpoint == checkpoint && !s.Paused }
}

func TestPauseAndResume(t *testing.T) {
	f := newFlowRun(t)
	f.source(0, at(10))
	f.source(1, at(10))

	r := f.order("pause", "orders/0", "-o", "json")
	var answer admin.FlowAnswer
	if err := json.Unmarshal([]byte(r.out), &answer); r.code != 0 || err != nil || len(answer.Sources) != 1 || !answer.Sources[0].Paused || answer.Sources[0].State != "running" {
		t.Fatalf("%+v: %v", r, err)
	}
	f.produce(0, 5)
	f.produce(1, 5)
	f.source(1, at(15)) // by now the other would have been read as well
	f.source(0, func(s *status.Source) bool {
		return s.Paused && s.State == "running" && s.Checkpoint == 10 && s.Next == 10
	})

	f.order("resume").wants(t, 0, "orders/0   on ", "")
	f.source(0, at(15))

	f.order("pause").wants(t, 0, "orders/1   paused  running", "")
	f.order("resume", "orders/1").wants(t, 0, "orders/1   on ", "")
	f.produce(0, 5)
	f.produce(1, 5)
	f.source(1, at(20))
	f.source(0, func(s *status.Source) bool { return s.Paused && s.Checkpoint == 15 })

	f.order("pause", "orders/7").wants(t, 0, "no such partition is here now, but orders/0, orders/1; pause holds for those that come\n", "")
	f.order("pause", "clicks").wants(t, connector.ExitConfig, "", "no mapping of this connector takes topic \"clicks\"")
	f.order("pause", "orders/x").wants(t, connector.ExitConfig, "", "topic/partition")
	f.order("pause", "orders/-1").wants(t, connector.ExitConfig, "", "topic/partition")
	f.order("pause", "-o", "xml").wants(t, connector.ExitConfig, "", "text or json")
	f.order("pause", "--set", "sink=other").wants(t, connector.ExitConfig, "", "sink \"s\"")

	// A stop does not wait for what is paused.
	f.run.stop()
	if code := <-f.run.code; code != connector.ExitOK || !strings.Contains(f.run.log.String(), "paused: reading no more") {
		t.Errorf("exit code %d: %s", code, f.run.log.String())
	}
	f.order("pause").wants(t, connector.ExitUnreached, "", "rowmark: no connector listens at "+f.at+" (admin.listen): ")
}

// A connector that still waits for its services takes no orders, and says so.
func TestPauseWhileConnecting(t *testing.T) {
	file := offline(t)
	r := runInside(t, file, "--set", "admin.listen=127.0.0.1:0", "--set", "hbase.start_timeout=1m")
	command("", "pause", "-c", file, "--set", "admin.listen="+r.serving(t, "admin.listen")).wants(t, connector.ExitUnreached, "", "still connecting")
	r.stop()
	<-r.code
}

func TestPauseNeedsTheToken(t *testing.T) {
	token, wrong := writeFile(t, "token", "hunter2\n"), writeFile(t, "token", "hunter3\n")
	f := newFlowRun(t, "--set", "admin.token_file="+token)
	f.order("pause").wants(t, connector.ExitConfig, "", "admin.token_file")
	f.order("pause", "--set", "admin.token_file="+wrong).wants(t, connector.ExitConfig, "", "admin.token_file")
	f.run.stop()
	<-f.run.code
}

func TestWhereOrdersGo(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	t.Cleanup(odd.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	_ = free.Close()
	for _, c := range []struct {
		listen string
		code   int
		says   string
	}{
		{"off", connector.ExitConfig, "admin.listen is off"},
		{"127.0.0.1:0", connector.ExitConfig, "--set admin.listen=127.0.0.1:PORT"},
		{nobody, connector.ExitUnreached, nobody},
		{other.Listener.Addr().String(), connector.ExitConfig, "another program"},
		{odd.Listener.Addr().String(), connector.ExitOther, "another program"},
	} {
		command("", "resume", "-c", offline(t), "--set", "admin.listen="+c.listen).wants(t, c.code, "", c.says)
	}
}
