package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestProcessesDieWithTheirParent runs this test binary again as a parent that
// starts a process, kills it with SIGKILL, and looks for the orphan.
func TestProcessesDieWithTheirParent(t *testing.T) {
	if os.Getenv("ROWMARK_TEST_PARENT") == "1" {
		p := sleeper(t, "echo serving; exec sleep 600")
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		fmt.Println("child", p.Pid())
		select {}
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestProcessesDieWithTheirParent$")
	parent.Env = append(os.Environ(), "ROWMARK_TEST_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid string
	if _, err := fmt.Fscanf(out, "child %s\n", &pid); err != nil {
		t.Fatal(err)
	}
	if s := state(t, pid); !strings.Contains("SRD", s) || s == "" {
		t.Fatalf("the child's state before the kill is %q", s)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // the kill is no news
	deadline := time.Now().Add(20 * time.Second)
	for s := state(t, pid); s != "" && s != "Z"; s = state(t, pid) {
		if time.Now().After(deadline) {
			t.Fatalf("20 s after its parent's death the child is in state %q", s)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
