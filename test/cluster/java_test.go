package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParseJavaVersion(t *testing.T) {
	for out, want := range map[string]int{
		"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime":         17,
		"java version \"1.8.0_402\"\nJava(TM) SE":                         8,
		"openjdk version \"21\" 2023-09-19":                               21,
		"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"11.0.2\"": 11,
	} {
		if got, err := parseJavaVersion(out); err != nil || got != want {
			t.Errorf("parseJavaVersion(%q) = %d, %v; want %d", out, got, err, want)
		}
	}
	if _, err := parseJavaVersion("command not found"); err == nil {
		t.Error("a text without a version was accepted")
	}
}

// fakeProgram puts a program of that name, which prints text, on a PATH that
// holds nothing else.
func fakeProgram(t *testing.T, name, text string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\necho '" + text + "' >&2\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("JAVA_HOME", "")
}

func TestMissingProgramsAreNamed(t *testing.T) {
	fakeProgram(t, "other", "")
	_, err := StartKafka(t.Context(), KafkaOptions{})
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "install a JDK, version 17") {
		t.Errorf("without java: %v, want what to install", err)
	}
	fakeProgram(t, "java", `openjdk version "11.0.2"`)
	_, err = StartHBase(t.Context(), HBaseOptions{})
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "found version 11") {
		t.Errorf("with java 11: %v, want the version found and the one needed", err)
	}
	fakeProgram(t, "java", `openjdk version "21.0.2"`)
	_, err = StartHBase(t.Context(), HBaseOptions{Options: Options{Cache: t.TempDir()}})
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "install Apache Maven") {
		t.Errorf("without mvn: %v, want what to install", err)
	}
}

func TestClasspathIsRememberedWhileItsJarsExist(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	file := filepath.Join(dir, "classpath.txt")
	if err := errors.Join(os.WriteFile(jar, []byte("x"), 0o644), os.WriteFile(file, []byte(jar+"\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if cp, ok := validClasspath(file); !ok || cp != jar {
		t.Errorf("validClasspath = %q, %v; want the jar", cp, ok)
	}
	if err := os.Remove(jar); err != nil {
		t.Fatal(err)
	}
	if _, ok := validClasspath(file); ok {
		t.Error("a class path with a missing jar was accepted")
	}
}

func TestLockFileKeepsOthersOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := lockFile(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second lock gave %v, want to wait until the deadline", err)
	}
	unlock()
	again, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestParseCellRefusesDamage(t *testing.T) {
	if c, err := parseCell("61 d - 5 Put 00ff"); err != nil || c.Row != "a" || c.Qualifier != "" || string(c.Value) != "\x00\xff" {
		t.Errorf("parseCell = %+v, %v", c, err)
	}
	for _, line := range []string{"", "61 d - 5 Put", "6 d - 5 Put 00", "61 d - x Put 00", "61 d - 5 Put 00 11"} {
		if _, err := parseCell(line); err == nil {
			t.Errorf("parseCell(%q) accepted it", line)
		}
	}
}
