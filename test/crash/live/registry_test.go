package live

import (
	"testing"

	"rowmark/test/crash/effect"
)

func testRegistry(t *testing.T) *effect.Registry {
	t.Helper()
	reg, err := effect.Current()
	if err != nil {
		t.Fatal(err)
	}
	return reg
}
