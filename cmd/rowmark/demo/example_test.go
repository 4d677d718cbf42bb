package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowmark/connector/config"
	"rowmark/test/reference/fit"
)

func TestDescribe(t *testing.T) {
	got := strings.Join(describe(rightCells()), "\n")
	for _, want := range []string{`"f1o1"`, "c:changes          3 ", `d:customer         "c2"`, "d:items            4", "d:total            2.5", "_k:demo/orders/2   16 ", "below offset 16 of orders/2"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	if got := describe(rightCells()[1:]); got != nil {
		t.Errorf("a row without its counter is no example: %q", got)
	}
	if got := describe(nil); got != nil {
		t.Errorf("no cells gave %q", got)
	}
}

// TestConfigurations: what the demo writes and what it proposes can be used.
func TestConfigurations(t *testing.T) {
	for name, text := range map[string]string{
		"starter": starter, "embedded": embeddedMode.config([]string{"127.0.0.1:1"}, []string{"127.0.0.1:2"}), "real": realMode.config([]string{"127.0.0.1:1"}, []string{"127.0.0.1:2"}),
	} {
		file := filepath.Join(t.TempDir(), "rowmark.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := fit.Check([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
