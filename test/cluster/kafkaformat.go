package cluster

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// format writes each node's properties and what its storage begins with.
func (k *Kafka) format(ctx context.Context, java, cp string, certs map[string]string) error {
	for i := range k.opts.Nodes {
		if err := os.MkdirAll(k.file(i), 0o755); err != nil {
			return fmt.Errorf("configuring Kafka: %w", err)
		}
		props := k.properties(i)
		maps.Copy(props, certs)
		maps.Copy(props, k.opts.Config)
		if err := writeProperties(k.file(i, "server.properties"), props); err != nil {
			return fmt.Errorf("configuring Kafka: %w", err)
		}
	}
	args := slices.Concat([]string{"-Xmx128m"}, quickJVM, []string{
		"-cp", cp, "kafka.tools.StorageTool",
		"format", "-t", k.id, "-c", k.file(0, "server.properties"),
	})
	if k.opts.SASL {
		for _, m := range []string{"SCRAM-SHA-256", "SCRAM-SHA-512"} {
			args = append(args, "--add-scram", fmt.Sprintf("%s=[name=%s,password=%s]", m, SASLUser, SASLPassword))
		}
	}
	if out, err := exec.CommandContext(ctx, java, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("formatting the storage of Kafka: %w; its last lines:\n%s", err, lastLines(string(out), 15))
	}
	for i := 1; i < k.opts.Nodes; i++ {
		if err := k.formatLike(i); err != nil {
			return fmt.Errorf("formatting the storage of Kafka node %d: %w", i+1, err)
		}
	}
	return nil
}

// formatLike gives node i the storage of the first one under its own ids, which
// is what the tool would write, for the price of no JVM.
func (k *Kafka) formatLike(i int) error {
	if err := os.MkdirAll(k.file(i, "data"), 0o755); err != nil {
		return err
	}
	boot, err := os.ReadFile(k.file(0, "data", "bootstrap.checkpoint"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(k.file(i, "data", "bootstrap.checkpoint"), boot, 0o644); err != nil {
		return err
	}
	meta, err := os.ReadFile(k.file(0, "data", "meta.properties"))
	if err != nil {
		return err
	}
	lines := strings.Split(string(meta), "\n")
	for n, line := range lines {
		switch name, _, _ := strings.Cut(line, "="); name {
		case "node.id":
			lines[n] = fmt.Sprintf("node.id=%d", k.Broker(i))
		case "directory.id":
			lines[n] = "directory.id=" + newClusterID()
		}
	}
	return os.WriteFile(k.file(i, "data", "meta.properties"), []byte(strings.Join(lines, "\n")), 0o644)
}
