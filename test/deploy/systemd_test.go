package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSystemd has systemd itself read the unit, where it is installed.
func TestSystemd(t *testing.T) {
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed: the unit is not checked")
	}
	text := read(t, "deploy/rowmark.service")
	for _, want := range []string{"\nTimeoutStopSec=40s\n", "\nRestart=on-failure\n", "\nDynamicUser=yes\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the unit lacks %q", want)
		}
	}
	// The program need not be installed here.
	installed := []byte("ExecStart=/usr/local/bin/rowmark ")
	if !bytes.Contains(text, installed) {
		t.Fatal("the unit starts another program than make install installs")
	}
	unit := filepath.Join(t.TempDir(), "rowmark.service")
	if err := os.WriteFile(unit, bytes.Replace(text, installed, []byte("ExecStart=/bin/true "), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	// Of a wrong value it only warns.
	if out, err := exec.Command(tool, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	if out, err := exec.Command(tool, "security", "--offline=yes", "--threshold=15", unit).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}
