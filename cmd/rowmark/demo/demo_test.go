package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rowmark/test/cluster"
)

// TestReal runs the demo on real services, and then shows that its verdict can be another one.
func TestReal(t *testing.T) {
	cluster.NeedReal(t)
	parent := t.TempDir()
	var out bytes.Buffer
	var pids []int
	err := Run(t.Context(), Options{Real: true, Records: 10_000, Binary: build(t), Out: &out, parent: parent, tamper: func(s *session) error {
		r := s.services.(*realServices)
		pids = append(r.pids(), s.proc.cmd.Process.Pid)
		sum := &summary{records: 10_000, aborted: 200, took: time.Second}
		if err := s.judge(t.Context(), sum); err != nil {
			return err
		}
		ordersBefore, err := r.reader.Dump(ordersTable)
		if err != nil {
			return err
		}
		c := ordersBefore[0]
		if _, err := r.reader.Do("put", ordersTable, cluster.Hex(c.Row), "d", cluster.Hex("status"), "-", cluster.Hex("foreign")); err != nil {
			return err
		}
		if err := s.judge(t.Context(), sum); !errors.Is(err, ErrVerdict) || !strings.Contains(err.Error(), "0 lost, 0 doubled, 1 wrong") {
			t.Errorf("a foreign value gave %v", err)
		}
		if _, err := r.reader.Do("put", customersTable, cluster.Hex("zz"), "c", cluster.Hex("n"), "-", cluster.Hex("12345678")); err != nil {
			return err
		}
		sum.records--
		if err := s.judge(t.Context(), sum); err == nil || !strings.Contains(err.Error(), "10000 committed and 200 aborted records there, but 9999 and 200") {
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

// TestRealInterrupted cancels it on its way, as a Ctrl-C does.
func TestRealInterrupted(t *testing.T) {
	cluster.NeedReal(t)
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, Options{Real: true, Records: MinRecords, Keep: true, Binary: build(t), Out: &stopAt{text: "rowmark init", stop: cancel}, parent: parent})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled, it gave %v", err)
	}
	gone(t, nil, parent)
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
	for _, real := range []bool{false, true} {
		m := (&Options{Real: real}).mode()
		for _, n := range []int{-1, 0, 1, m.most + 1} {
			if err := Run(t.Context(), Options{Real: real, Records: n, Out: io.Discard}); !errors.Is(err, ErrRecords) {
				t.Errorf("%d records: %v", n, err)
			}
		}
		if n := (&Options{Real: real}).DefaultRecords(); n < MinRecords || n > m.most {
			t.Errorf("%d records by default", n)
		}
	}
}

// TestNothingInstalled says what to install, and leaves nothing.
func TestNothingInstalled(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	err := Run(t.Context(), Options{Real: true, Records: MinRecords, Binary: "rowmark", Out: io.Discard, parent: parent})
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
	cluster.Sweep(parent, folderPrefix)
	for dir, want := range map[string]bool{dead: false, running: true, kept: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
}
