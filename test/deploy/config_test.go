package deploy

import (
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"rowmark/connector/config"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(root + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// configured reads a configuration as rowmark does.
func configured(t *testing.T, text []byte) *config.Config {
	t.Helper()
	c, err := config.Parse("rowmark.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func shutdown(t *testing.T, text []byte) time.Duration { return configured(t, text).ShutdownTimeout }

// adminPort is where a configuration has the probes.
func adminPort(t *testing.T, c *config.Config) int {
	t.Helper()
	listen, _ := c.Admin.Addresses()
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
