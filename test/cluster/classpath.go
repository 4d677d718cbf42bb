package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// artifact is one dependency of a Maven project.
type artifact struct{ group, name, version string }

// classpath returns the class path of the artifacts and all they depend on.
// Maven runs only if the cache has no valid answer; of several programs that
// want the same at once, one runs it and the others wait.
func (o Options) classpath(ctx context.Context, title string, deps ...artifact) (string, error) {
	cache, err := o.cacheDir()
	if err != nil {
		return "", err
	}
	pom := pomOf(deps)
	sum := sha256.Sum256([]byte(pom))
	dir := filepath.Join(cache, "classpath-"+hex.EncodeToString(sum[:6]))
	file := filepath.Join(dir, "classpath.txt")
	if cp, ok := validClasspath(file); ok {
		return cp, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making cache folder: %w", err)
	}
	unlock, err := lockFile(ctx, filepath.Join(cache, "maven.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if cp, ok := validClasspath(file); ok {
		return cp, nil
	}
	o.logf("fetching %s with Maven (first time only)", title)
	if err := os.WriteFile(filepath.Join(dir, "pom.xml"), []byte(pom), 0o644); err != nil {
		return "", fmt.Errorf("writing pom.xml: %w", err)
	}
	if err := runMaven(ctx, title, dir, "dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"); err != nil {
		return "", err
	}
	cp, ok := validClasspath(file)
	if !ok {
		return "", fmt.Errorf("fetching %s with Maven: it wrote no usable class path", title)
	}
	return cp, nil
}

// runMaven runs a goal of the project in dir.
func runMaven(ctx context.Context, title, dir string, args ...string) error {
	mvn, err := findMaven()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, mvn, append([]string{"-q", "-B"}, args...)...)
	cmd.Dir = dir
	// A killed mvn may leave children that hold its output open.
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fetching %s with Maven: %w; its last lines:\n%s", title, err, lastLines(string(out), 15))
	}
	return nil
}

// validClasspath reads a remembered class path and checks that every jar in
// it is still there: the local repository may have been emptied since.
func validClasspath(file string) (string, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	cp := strings.TrimSpace(string(data))
	if cp == "" {
		return "", false
	}
	for _, jar := range filepath.SplitList(cp) {
		if st, err := os.Stat(jar); err != nil || st.Size() == 0 {
			return "", false
		}
	}
	return cp, true
}

func pomOf(deps []artifact) string {
	var b strings.Builder
	b.WriteString(`<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rowmark</groupId>
  <artifactId>services</artifactId>
  <version>1</version>
  <dependencies>
`)
	for _, d := range deps {
		fmt.Fprintf(&b, "    <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>\n",
			d.group, d.name, d.version)
	}
	b.WriteString("  </dependencies>\n</project>\n")
	return b.String()
}

// lockFile takes an exclusive lock that the system gives back when this
// program ends, however it ends.
func lockFile(ctx context.Context, path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening lock file: %w", err)
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, fmt.Errorf("locking %s: %w", filepath.Base(path), err)
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("waiting for another program's Maven run: %w", err)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
