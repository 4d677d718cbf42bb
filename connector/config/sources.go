package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"rowmark/kafka"
)

// sources looks at what the settings name outside of the file: first whether each thing is there, then whether it is
// what it should be.
func (d *decoder) sources(c *Config) {
	d.named("", reflect.ValueOf(c).Elem())
	d.whole("kafka.tls", func() error {
		_, err := c.Kafka.TLS.Files().Load()
		return err
	})
	d.whole("kafka.sasl", func() error {
		_, _, err := c.Kafka.SASL.Credentials()
		return err
	})
	d.whole("schema_registry.tls", func() error {
		_, err := c.SchemaRegistry.TLS.Files().Load()
		return err
	})
	d.whole("schema_registry", func() error {
		_, _, err := c.SchemaRegistry.Credentials()
		return err
	})
	d.whole("admin.token", func() error {
		_, err := c.Admin.Token()
		return err
	})
	for _, p := range []Proxy{c.Kafka.Through(), c.HBase.Through(), c.SchemaRegistry.Through()} {
		d.whole(p.section+".proxy", func() error {
			_, err := p.Dialer()
			return err
		})
	}
}

// Files are the PEM files, for the client.
func (t TLS) Files() kafka.TLSFiles {
	return kafka.TLSFiles{CA: t.CA, Cert: t.Cert, Key: t.Key, ServerName: t.ServerName}
}

// Files are the PEM files, for the client.
func (t RegistryTLS) Files() kafka.TLSFiles {
	return kafka.TLSFiles{CA: t.CA, Cert: t.Cert, Key: t.Key, ServerName: t.ServerName}
}

// whole reports the error of settings that belong together, unless something is wrong with one of them.
func (d *decoder) whole(key string, load func() error) {
	for _, p := range d.problems {
		if strings.HasPrefix(p.Key, key) {
			return
		}
	}
	if err := load(); err != nil {
		d.at(key, "", "%v", err)
	}
}

// named looks for each file and variable that a field tagged with names names.
func (d *decoder) named(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			d.named(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			key := f.Tag.Get("yaml")
			if key == "" || key == "-" {
				continue
			}
			key = join(path, key)
			if what := f.Tag.Get("names"); what != "" {
				d.source(what, key, v.Field(i).String())
				continue
			}
			d.named(key, v.Field(i))
		}
	}
}

// source looks for one file or variable. The name of one that holds a secret is not shown: it may be the secret, by
// mistake.
func (d *decoder) source(what, key, name string) {
	if name == "" {
		return
	}
	if what == "env" {
		if os.Getenv(name) == "" {
			d.at(key, "", "the environment variable that it names is not set or empty")
		}
		return
	}
	err := readable(name)
	if err == nil {
		return
	}
	if what == "secret" {
		name = ""
	}
	d.at(key, name, "the file that it names can't be read: %v", err)
}

var errFolder = errors.New("it is a folder")

func readable(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return reason(err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil {
		return reason(err)
	} else if info.IsDir() {
		return errFolder
	}
	return nil
}

// reason is the error of a file without its name.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
