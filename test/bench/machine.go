package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"rowmark/test/cluster"
)

// describeMachine says in one line what the figures were made on.
func describeMachine(ctx context.Context) (string, error) {
	java, err := cluster.FindJava(ctx)
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("asking java for its version: %w", err)
	}
	memory := "memory unknown"
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		memory = memoryOf(string(b))
	}
	system := runtime.GOOS
	if b, err := os.ReadFile("/etc/os-release"); err == nil {
		system = systemOf(string(b))
	}
	cpu, _ := os.ReadFile("/proc/cpuinfo") // some machines do not name theirs
	return fmt.Sprintf("%d cores%s, %s, %s, %s, Java %s, Kafka %s, HBase %s", runtime.NumCPU(), modelOf(string(cpu)), memory, system,
		strings.Replace(runtime.Version(), "go", "Go ", 1), javaOf(string(version)), cluster.KafkaVersion, cluster.HBaseVersion), nil
}

// valueOf finds the value of a line "name: value" or "name=value".
func valueOf(text, name, sep string) (string, bool) {
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(line, sep)
		if ok && strings.TrimSpace(k) == name {
			return strings.Trim(strings.TrimSpace(v), `"`), true
		}
	}
	return "", false
}

func memoryOf(meminfo string) string {
	var kb int64
	v, _ := valueOf(meminfo, "MemTotal", ":")
	if _, err := fmt.Sscanf(v, "%d kB", &kb); err != nil {
		return "memory unknown"
	}
	return fmt.Sprintf("%d GiB", (kb+1<<19)>>20)
}

func systemOf(release string) string {
	if v, ok := valueOf(release, "PRETTY_NAME", "="); ok {
		return v
	}
	return runtime.GOOS
}

func modelOf(cpuinfo string) string {
	if v, ok := valueOf(cpuinfo, "model name", ":"); ok {
		return " (" + v + ")"
	}
	return ""
}

// javaOf takes what stands in quotes in the first line.
func javaOf(version string) string {
	parts := strings.SplitN(version, `"`, 3)
	if len(parts) < 3 {
		return "unknown"
	}
	return parts[1]
}
