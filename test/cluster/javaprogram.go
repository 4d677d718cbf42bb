package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// JavaProgram is the command that runs a Java program of one source file with HBase's client on its class path. It
// keeps the source and the set-up of logging, warnings on standard error, in dir.
func JavaProgram(ctx context.Context, o Options, dir, name string, source []byte, args ...string) (*exec.Cmd, error) {
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	cp, err := o.classpath(ctx, "HBase "+HBaseVersion, artifact{"org.apache.hbase", "hbase-server", HBaseVersion})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	warn := strings.Replace(log4j1, "rootLogger=INFO", "rootLogger=WARN", 1)
	if err := os.WriteFile(filepath.Join(dir, "log4j.properties"), []byte(warn), 0o644); err != nil {
		return nil, fmt.Errorf("writing the logging set-up of %s: %w", name, err)
	}
	argv := slices.Concat(o.jvm(384), java17Flags, []string{"-cp", dir + string(filepath.ListSeparator) + cp, file}, args)
	return exec.Command(java, argv...), nil
}
