package lint

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"rowmark/connector/config"

	"github.com/goccy/go-yaml"
)

// TestKubernetesFits loads the configuration that the manifests hold: several pods have to share the partitions out.
func TestKubernetesFits(t *testing.T) {
	text, err := os.ReadFile(Root + "/deploy/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(text, []byte("\n---\n"))
	var manifest struct{ Data map[string]string }
	if err := yaml.Unmarshal(first, &manifest); err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse("rowmark.yaml", []byte(manifest.Data["rowmark.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	if c.Kafka.Assignment != "group" {
		t.Errorf("assignment is %s", c.Kafka.Assignment)
	}
}

// No container engine is needed for this: what compose mounts must load, and what it builds must be there.
func TestComposeFits(t *testing.T) {
	if _, err := config.Load(Root + "/docker/rowmark.yaml"); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(Root + "/docker/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Image string
			Build struct{ Context, Dockerfile string }
		}
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kafka", "hbase", "rowmark"} {
		if _, ok := compose.Services[name]; !ok {
			t.Errorf("no service %s", name)
		}
	}
	for name, s := range compose.Services {
		if s.Build.Dockerfile == "" {
			if s.Image == "" {
				t.Errorf("service %s has neither image nor build", name)
			}
			continue
		}
		if _, err := os.Stat(filepath.Join(Root, "docker", s.Build.Context, s.Build.Dockerfile)); err != nil {
			t.Errorf("service %s: %v", name, err)
		}
	}
}
