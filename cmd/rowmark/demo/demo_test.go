package demo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rowmark/test/cluster"
)

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "rowmark")
	if out, err := exec.Command("go", "build", "-o", binary, "rowmark/cmd/rowmark").CombinedOutput(); err != nil {
		t.Fatalf("building rowmark: %v\n%s", err, out)
	}
	return binary
}

// leftovers are folders of demos in the cache.
func leftovers(t *testing.T) []string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join(cache, "rowmark", "demo-*"))
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// TestDemo runs the demo, and then shows that its verdict can be another one.
func TestDemo(t *testing.T) {
	cluster.NeedReal(t)
	before := leftovers(t)
	var out bytes.Buffer
	var pids []int
	err := Run(t.Context(), Options{Records: 10_000, Binary: build(t), Out: &out, tamper: func(s *session) error {
		for _, p := range append(s.kafka.Processes(), s.hbase.Processes()...) {
			pids = append(pids, p.Pid())
		}
		pids = append(pids, s.proc.cmd.Process.Pid)
		sum := &summary{records: 10_000, took: time.Second}
		if err := s.judge(t.Context(), sum); err != nil {
			return err
		}
		ordersBefore, err := s.reader.Dump(ordersTable)
		if err != nil {
			return err
		}
		c := ordersBefore[0]
		if _, err := s.reader.Do("put", ordersTable, cluster.Hex(c.Row), "d", cluster.Hex("status"), "-", cluster.Hex("foreign")); err != nil {
			return err
		}
		if err := s.judge(t.Context(), sum); !errors.Is(err, ErrVerdict) || !strings.Contains(err.Error(), "0 lost, 0 doubled, 1 wrong") {
			t.Errorf("a foreign value gave %v", err)
		}
		if _, err := s.reader.Do("put", customersTable, cluster.Hex("zz"), "c", cluster.Hex("n"), "-", cluster.Hex("12345678")); err != nil {
			return err
		}
		sum.records--
		if err := s.judge(t.Context(), sum); err == nil || !strings.Contains(err.Error(), "10000 committed records there, but 9999") {
			t.Errorf("a record too many gave %v", err)
		}
		return nil
	}})
	t.Log(out.String())
	if !errors.Is(err, ErrVerdict) || !strings.Contains(err.Error(), "0 lost, 0 doubled, 2 wrong") {
		t.Fatal(err)
	}
	for _, want := range []string{"recoveries   2 of 2 kills", "lost         0\n", "Every cell is what the log says.", "exit code 0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo did not say %q", want)
		}
	}
	gone(t, pids, before)
}

// TestDemoInterrupted cancels it on its way, as a Ctrl-C does.
func TestDemoInterrupted(t *testing.T) {
	cluster.NeedReal(t)
	before := leftovers(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &session{}
	err := Run(ctx, Options{Records: MinRecords, Keep: true, Binary: build(t), Out: cancelAt{"rowmark init", cancel}, tamper: func(got *session) error {
		s = got
		return nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled, it gave %v", err)
	}
	if s.proc != nil {
		t.Error("it went on to the verdict")
	}
	gone(t, nil, before)
}

// cancelAt cancels when a text is written.
type cancelAt struct {
	text   string
	cancel func()
}

func (c cancelAt) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.text) {
		c.cancel()
	}
	return len(p), nil
}

func gone(t *testing.T, pids []int, before []string) {
	t.Helper()
	for _, pid := range pids {
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if err := p.Signal(nil); err == nil {
			t.Errorf("process %d is left", pid)
		}
	}
	for _, dir := range leftovers(t) {
		known := false
		for _, b := range before {
			known = known || b == dir
		}
		if !known {
			t.Errorf("folder %s is left", filepath.Base(dir))
		}
	}
}

func TestRecordsOutOfRange(t *testing.T) {
	for _, n := range []int{-1, 1, MaxRecords + 1} {
		if err := Run(t.Context(), Options{Records: n, Out: &bytes.Buffer{}}); err == nil || !strings.Contains(err.Error(), "between 1000 and 2000000") {
			t.Errorf("%d records: %v", n, err)
		}
	}
}

// TestNothingInstalled says what to install, and leaves nothing.
func TestNothingInstalled(t *testing.T) {
	before := leftovers(t)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	err := Run(t.Context(), Options{Binary: "rowmark", Out: &bytes.Buffer{}})
	if !errors.Is(err, cluster.ErrMissing) || !strings.Contains(err.Error(), "install a JDK") {
		t.Errorf("without Java it gave %v", err)
	}
	gone(t, nil, before)
}
