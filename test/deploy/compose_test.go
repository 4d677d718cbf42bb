package deploy

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// root is that of the repository.
const root = "../.."

// shutdownTimeout is the default of rowmark's shutdown_timeout, which these files leave as it is.
const shutdownTimeout = 30 * time.Second

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(root + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCompose(t *testing.T) {
	opts, err := cli.NewProjectOptions([]string{root + "/docker/compose.yaml"}, cli.WithWorkingDirectory(root+"/docker"))
	if err != nil {
		t.Fatal(err)
	}
	project, err := opts.LoadProject(t.Context()) // against the schema, and what one part says of another
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kafka", "topics", "hbase", "init", "rowmark", "prometheus", "grafana"} {
		if _, ok := project.Services[name]; !ok {
			t.Errorf("no service %s", name)
		}
	}
	for name, s := range project.Services {
		if s.Build == nil && !strings.Contains(s.Image, ":") && s.Image != "rowmark" {
			t.Errorf("service %s takes whatever %s is today: name a version", name, s.Image)
		}
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("service %s is open to others at port %s", name, p.Published)
			}
		}
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(v.Source); err != nil {
				t.Errorf("service %s mounts what is not there: %v", name, err)
			}
		}
	}
	if grace := project.Services["rowmark"].StopGracePeriod; grace == nil || time.Duration(*grace) <= shutdownTimeout {
		t.Error("a stop of rowmark is cut short: stop_grace_period must be longer than shutdown_timeout")
	}
}
