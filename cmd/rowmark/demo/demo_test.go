package demo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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

// TestDemo runs the demo, and then shows that its verdict can be another one.
func TestDemo(t *testing.T) {
	cluster.NeedReal(t)
	parent := t.TempDir()
	var out bytes.Buffer
	var pids []int
	err := Run(t.Context(), Options{Records: 10_000, Binary: build(t), Out: &out, parent: parent, tamper: func(s *session) error {
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
	gone(t, pids, parent)
}

// TestDemoInterrupted cancels it on its way, as a Ctrl-C does.
func TestDemoInterrupted(t *testing.T) {
	cluster.NeedReal(t)
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &session{}
	err := Run(ctx, Options{Records: MinRecords, Keep: true, Binary: build(t), Out: cancelAt{"rowmark init", cancel}, parent: parent, tamper: func(got *session) error {
		s = got
		return nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled, it gave %v", err)
	}
	if s.proc != nil {
		t.Error("it went on to the verdict")
	}
	gone(t, nil, parent)
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

func gone(t *testing.T, pids []int, parent string) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is left (%v)", pid, err)
		}
	}
	left, err := os.ReadDir(parent)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the demo's folder: %v (%v)", left, err)
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
	parent := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	err := Run(t.Context(), Options{Binary: "rowmark", Out: &bytes.Buffer{}, parent: parent})
	if !errors.Is(err, cluster.ErrMissing) || !strings.Contains(err.Error(), "install a JDK") {
		t.Errorf("without Java it gave %v", err)
	}
	gone(t, nil, parent)
}

// TestSweep removes what a killed demo left, and neither a running demo's folder nor a kept one.
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	dead, unlock, err := makeFolder(parent, false)
	if err != nil {
		t.Fatal(err)
	}
	running, _, err := makeFolder(parent, false)
	if err != nil {
		t.Fatal(err)
	}
	kept, _, err := makeFolder(parent, true)
	if err != nil {
		t.Fatal(err)
	}
	unlock() // as its end does
	sweep(parent)
	for dir, want := range map[string]bool{dead: false, running: true, kept: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
}
