package config

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"rowmark/connector/mapping"
	"rowmark/rowkey"
)

const examplePath = "../../docs/config.example.yaml"

func TestExampleLoads(t *testing.T) {
	c, err := Load(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Mappings.Tables(); len(got) != 2 || len(got[0].Splits) != 7 || len(got[1].Splits) != 15 {
		t.Errorf("tables %+v", got)
	}
	// What it shows as defaults are the defaults.
	plain, err := Parse("x.yaml", []byte(canonical))
	if err != nil {
		t.Fatal(err)
	}
	c.Tables, plain.Tables, c.Mappings, plain.Mappings = nil, nil, nil, nil
	if !reflect.DeepEqual(c, plain) {
		t.Errorf("got  %+v\nwant %+v", c, plain)
	}
}

func TestExampleNamesEverySetting(t *testing.T) {
	text, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var collect func(reflect.Type)
	collect = func(typ reflect.Type) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			if key := f.Tag.Get("yaml"); key != "-" && key != "" {
				names = append(names, key)
			}
			if f.Type.Kind() == reflect.Struct {
				collect(f.Type)
			}
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[mapping.Spec](), reflect.TypeFor[mapping.Column](), reflect.TypeFor[rowkey.Part]()} {
		collect(typ)
	}
	for _, name := range names {
		if !regexp.MustCompile(`\b` + name + `:`).Match(text) {
			t.Errorf("the example does not name %s", name)
		}
	}
	if len(names) < 90 {
		t.Errorf("only %d settings found", len(names))
	}
}
