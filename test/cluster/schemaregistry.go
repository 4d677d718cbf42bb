package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// SchemaRegistryVersion is that of Apicurio Registry, which keeps its data in memory here. It is the last that Java 17
// runs.
const SchemaRegistryVersion = "2.6.13.Final"

// SchemaRegistry is a running Apicurio Registry.
type SchemaRegistry struct {
	opts Options
	dir  string
	port int
	proc *Process
}

// URL is where it speaks Confluent's REST API.
func (s *SchemaRegistry) URL() string { return "http://" + addr(s.port) + "/apis/ccompat/v7" }

// Process is its only one.
func (s *SchemaRegistry) Process() *Process { return s.proc }

// Stop ends it and removes its folder.
func (s *SchemaRegistry) Stop() error { return stopAll([]*Process{s.proc}, s.dir, s.opts) }

// StartSchemaRegistry starts a schema registry and waits until it serves.
func StartSchemaRegistry(ctx context.Context, o Options) (*SchemaRegistry, error) {
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	jar, err := o.apicurio(ctx)
	if err != nil {
		return nil, err
	}
	return retryClash(func() (*SchemaRegistry, error) { return startSchemaRegistryOnce(ctx, o, java, jar) })
}

func startSchemaRegistryOnce(ctx context.Context, o Options, java, jar string) (*SchemaRegistry, error) {
	began := time.Now()
	o.logf("starting Apicurio Registry %s", SchemaRegistryVersion)
	ports, err := pickPorts(1)
	if err != nil {
		return nil, err
	}
	dir, err := o.workDir("registry")
	if err != nil {
		return nil, err
	}
	s := &SchemaRegistry{opts: o, dir: dir, port: ports[0]}
	s.proc = &Process{
		name: "schema registry", dir: dir, detach: o.Detach, logPath: filepath.Join(dir, "log"), ready: s.waitReady,
		argv: slices.Concat([]string{java}, o.jvm(384), []string{"-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + strconv.Itoa(s.port), "-jar", jar}),
	}
	if err := s.proc.Start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting Apicurio Registry %s: %w", SchemaRegistryVersion, err), s.Stop())
	}
	o.logf("the schema registry serves at %s, %.1f s after its start", s.URL(), time.Since(began).Seconds())
	return s, nil
}

func (s *SchemaRegistry) waitReady(ctx context.Context, p *Process) error {
	client := &http.Client{Timeout: 3 * time.Second}
	return p.waitFor(ctx, func() bool {
		res, err := client.Get(s.URL() + "/subjects")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// apicurio has Maven fetch and unpack the program, once, and gives its jar.
func (o Options) apicurio(ctx context.Context) (string, error) {
	cache, err := o.cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "apicurio-"+SchemaRegistryVersion)
	jar := filepath.Join(dir, "apicurio-registry-app-"+SchemaRegistryVersion+"-runner.jar")
	unlock, err := lockFile(ctx, filepath.Join(cache, "maven.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(jar); err == nil {
		return jar, nil
	}
	title := "Apicurio Registry " + SchemaRegistryVersion
	o.logf("fetching %s with Maven (first time only)", title)
	part := dir + ".part" // under its final name it is whole
	if err := errors.Join(os.RemoveAll(part), os.RemoveAll(dir), os.MkdirAll(part, 0o755)); err != nil {
		return "", fmt.Errorf("making room for %s: %w", title, err)
	}
	err = runMaven(ctx, title, part, "dependency:unpack",
		"-Dartifact=io.apicurio:apicurio-registry-app:"+SchemaRegistryVersion+":tar.gz:all", "-DoutputDirectory="+part)
	if err != nil {
		return "", err
	}
	if err := os.Rename(part, dir); err != nil {
		return "", fmt.Errorf("unpacking %s: %w", title, err)
	}
	if _, err := os.Stat(jar); err != nil {
		return "", fmt.Errorf("unpacking %s: %w", title, err)
	}
	return jar, nil
}
