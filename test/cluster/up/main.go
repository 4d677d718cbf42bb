// Command up starts one Kafka and one one-JVM HBase, tells the command given
// as its arguments where they are (by ROWMARK_TEST_KAFKA and
// ROWMARK_TEST_ZOOKEEPER), runs it, and stops them again. It ends with the
// command's exit code (`go run` itself turns any failure into 1).
//
//	go run ./test/cluster/up -- go test ./...
//
// ROWMARK_TEST_HBASE_VERSION names another version of HBase than the usual.
// With ROWMARK_SKIP_REAL=1 it starts nothing, runs the command, and says so.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"rowmark/test/cluster"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./test/cluster/up -- command [arguments]")
		return 2
	}
	// The command shares our terminal, so a Ctrl-C reaches it too; here it
	// must only not end us before the services are stopped.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if os.Getenv(cluster.EnvSkip) == "1" {
		code := command(ctx, args, nil)
		fmt.Fprintf(os.Stderr, "up: %s=1, so no real service was started; tests that need one did NOT run\n", cluster.EnvSkip)
		return code
	}
	return withServices(ctx, args)
}

func withServices(ctx context.Context, args []string) int {
	o := cluster.TestOptions()
	k, err := cluster.StartKafka(ctx, cluster.KafkaOptions{Options: o})
	if err != nil {
		fmt.Fprintln(os.Stderr, "up:", err)
		return 1
	}
	h, err := cluster.StartHBase(ctx, cluster.HBaseOptions{Options: o, Version: os.Getenv(cluster.EnvHBaseVersion)})
	if err != nil {
		fmt.Fprintln(os.Stderr, "up:", errors.Join(err, k.Stop()))
		return 1
	}
	code := command(ctx, args, []string{
		cluster.EnvKafka + "=" + strings.Join(k.Brokers(), ","),
		cluster.EnvZooKeeper + "=" + strings.Join(h.ZooKeeper(), ","),
	})
	if err := errors.Join(k.Stop(), h.Stop()); err != nil {
		fmt.Fprintln(os.Stderr, "up: stopping the services:", err)
		code = max(code, 1)
	}
	return code
}

func command(ctx context.Context, args, env []string) int {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err := cmd.Run()
	if err == nil {
		return 0
	}
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() > 0 {
		return cmd.ProcessState.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "up: running %s: %v\n", args[0], err)
	return 1
}
