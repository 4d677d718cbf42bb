package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/json"
	strict "sigs.k8s.io/yaml"
)

// manifests is what deploy/kubernetes.yaml holds, decoded by the types of the API: a key that these don't know is an error.
type manifests struct {
	config     core.ConfigMap
	deployment apps.Deployment
	budget     policy.PodDisruptionBudget
}

func readManifests(t *testing.T) manifests {
	t.Helper()
	var m manifests
	into := map[string]any{"ConfigMap": &m.config, "Deployment": &m.deployment, "PodDisruptionBudget": &m.budget}
	docs := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(read(t, "deploy/kubernetes.yaml"))))
	defer func() { _ = docs.Close() }()
	for {
		text := make([]byte, 64<<10)
		n, err := docs.Read(text)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			Kind string `json:"kind"`
		}
		if err := strict.Unmarshal(text[:n], &head); err != nil {
			t.Fatal(err)
		}
		if into[head.Kind] == nil {
			t.Fatalf("a document of kind %q", head.Kind)
		}
		js, err := strict.YAMLToJSONStrict(text[:n])
		if err != nil {
			t.Fatalf("%s: %v", head.Kind, err)
		}
		unknown, err := json.UnmarshalStrict(js, into[head.Kind])
		for _, err := range append(unknown, err) {
			if err != nil {
				t.Errorf("%s: %v", head.Kind, err)
			}
		}
		delete(into, head.Kind)
	}
	for kind := range into {
		t.Errorf("there is no %s", kind)
	}
	return m
}

func TestKubernetes(t *testing.T) {
	m := readManifests(t)
	spec := m.deployment.Spec
	pod := spec.Template.Spec
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; grace <= shutdownTimeout {
		t.Errorf("a stop is cut short after %s: shutdown_timeout is %s", grace, shutdownTimeout)
	}
	for k, v := range spec.Selector.MatchLabels {
		if spec.Template.Labels[k] != v || m.budget.Spec.Selector.MatchLabels[k] != v {
			t.Errorf("label %s is not %s everywhere", k, v)
		}
	}
	for _, s := range slices.Concat(pod.InitContainers, pod.Containers) {
		if !*s.SecurityContext.ReadOnlyRootFilesystem || *s.SecurityContext.AllowPrivilegeEscalation || s.Resources.Limits.Memory().IsZero() {
			t.Errorf("container %s is not locked and bounded", s.Name)
		}
	}
	one := pod.Containers[0]
	if listen := fmt.Sprintf("listen: 0.0.0.0:%d ", one.Ports[0].ContainerPort); !strings.Contains(m.config.Data["rowmark.yaml"], listen) {
		t.Errorf("the probes go to a port that is not that of the admin server, %s", listen)
	}
	for path, p := range map[string]*core.Probe{"/healthz": one.LivenessProbe, "/readyz": one.ReadinessProbe} {
		if p == nil || p.HTTPGet.Path != path || p.HTTPGet.Port.StrVal != one.Ports[0].Name {
			t.Errorf("the probe of %s is %v", path, p)
		}
	}
}
