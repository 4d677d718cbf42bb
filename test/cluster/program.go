package cluster

import (
	"context"
	"fmt"
	"os/exec"
)

// BuildRowmark builds the program as users do, into the file to. It needs Go, and a working directory in this module.
func BuildRowmark(ctx context.Context, to string) error {
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", to, "rowmark/cmd/rowmark").CombinedOutput(); err != nil {
		return fmt.Errorf("building rowmark: %w\n%s", err, out)
	}
	return nil
}
