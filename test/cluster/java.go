package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// MinJava is the oldest Java that runs every service here.
const MinJava = 17

// ErrMissing is wrapped by errors that say which program has to be installed.
var ErrMissing = errors.New("a needed program is missing")

var javaVersionLine = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// FindJava returns the path of java, from JAVA_HOME or else PATH, after
// checking that it is new enough.
func FindJava(ctx context.Context) (string, error) {
	path := ""
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path = filepath.Join(home, "bin", "java")
	}
	if path == "" {
		found, err := exec.LookPath("java")
		if err != nil {
			return "", fmt.Errorf("looking for java: %w: install a JDK, version %d or later (for example openjdk-%d-jdk-headless), or set JAVA_HOME",
				ErrMissing, MinJava, MinJava)
		}
		path = found
	}
	out, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("running java -version: %w: install a JDK, version %d or later, or correct JAVA_HOME: %w", ErrMissing, MinJava, err)
	}
	major, err := parseJavaVersion(string(out))
	if err != nil {
		return "", err
	}
	if major < MinJava {
		return "", fmt.Errorf("checking java: %w: found version %d, install a JDK of version %d or later, or set JAVA_HOME to one", ErrMissing, major, MinJava)
	}
	return path, nil
}

// parseJavaVersion reads the major version from what java -version prints;
// Java 8 calls itself 1.8.
func parseJavaVersion(out string) (int, error) {
	m := javaVersionLine.FindStringSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("reading the version of java: no version in its answer")
	}
	if m[1] == "1" && m[2] != "" {
		return strconv.Atoi(m[2])
	}
	return strconv.Atoi(m[1])
}

func findMaven() (string, error) {
	path, err := exec.LookPath("mvn")
	if err != nil {
		return "", fmt.Errorf("looking for mvn: %w: install Apache Maven, version 3.6 or later, and have it on PATH", ErrMissing)
	}
	return path, nil
}
