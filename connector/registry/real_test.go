package registry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"testing"

	"rowmark/connector/decode"
	"rowmark/connector/decode/avro"
	"rowmark/connector/decode/protobuf"
	"rowmark/connector/registry"
	"rowmark/connector/registry/registrytest"
	"rowmark/test/cluster"
)

func TestMain(m *testing.M) { os.Exit(cluster.Main(m)) }

// register adds a schema as a producer does, and gives its id.
func register(t *testing.T, base, subject string, s registrytest.Schema) uint32 {
	t.Helper()
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(base+"/subjects/"+url.PathEscape(subject)+"/versions", "application/vnd.schemaregistry.v1+json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var a struct{ ID uint32 }
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("registering %s: %s, %v", subject, res.Status, err)
	}
	return a.ID
}

// What records are read with is the same from Apicurio's registry and from that of the tests.
func TestRegistries(t *testing.T) {
	t.Run("of the tests", func(t *testing.T) { readFrom(t, start(t).URL) })
	t.Run("Apicurio", func(t *testing.T) {
		cluster.NeedReal(t)
		s, err := cluster.StartSchemaRegistry(t.Context(), cluster.TestOptions())
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}()
		readFrom(t, s.URL())
	})
}

func readFrom(t *testing.T, base string) {
	register(t, base, "padding", registrytest.Schema{Schema: `"long"`})
	register(t, base, "status/1", registrytest.Schema{Schema: `{"type":"enum","name":"Status","namespace":"shop","symbols":["NEW","PAID"]}`})
	order := register(t, base, "order", registrytest.Schema{
		Schema:     `{"type":"record","name":"Order","namespace":"shop","fields":[{"name":"s","type":"Status"},{"name":"n","type":["null","int"],"default":null}]}`,
		References: []registrytest.Reference{{Name: "shop.Status", Subject: "status/1", Version: 1}},
	})
	register(t, base, "size", registrytest.Schema{Type: "PROTOBUF", Schema: `syntax = "proto3"; package common; enum Size { SMALL = 0; LARGE = 1; }`})
	box := register(t, base, "box", registrytest.Schema{
		Type: "PROTOBUF", Schema: `syntax = "proto3"; import "common/size.proto"; message Box { common.Size size = 1; int64 n = 2; }`,
		References: []registrytest.Reference{{Name: "common/size.proto", Subject: "size", Version: 1}},
	})
	c := opened(registry.Config{URLs: []string{base}})
	id := func(n uint32, body string) []byte {
		return append([]byte{0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, body...)
	}
	for _, r := range []struct {
		format decode.Format
		data   []byte
		want   string
	}{
		{avro.NewConfluent(c), id(order, "\x02\x02\x0e"), `{"s":"PAID","n":7}`},
		{protobuf.New(c), id(box, "\x00\x08\x01\x10\x07"), `{"size":"LARGE","n":7}`},
	} {
		var tree decode.Tree
		_, err := r.format.Decode(&tree, r.data)
		var later *decode.Later
		if !errors.As(err, &later) {
			t.Fatalf("%s: %v, want that it is asked for", r.format, err)
		}
		if err := later.Wait(t.Context()); err != nil {
			t.Fatalf("%s: %v", r.format, err)
		}
		v, err := r.format.Decode(&tree, r.data)
		if got := string(v.AppendJSON(nil)); err != nil || got != r.want {
			t.Errorf("%s: %s, %v; want %s", r.format, got, err, r.want)
		}
	}
	for _, id := range []uint32{0, 1000, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		var unknown *registry.UnknownError
		if _, err := get(t.Context(), c, id); !errors.As(err, &unknown) {
			t.Errorf("the id %d, that nobody registered: %v", id, err)
		}
	}
}
