package config

import (
	"os"
	"reflect"
	"regexp"
	"strings"
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
	if got := c.Mappings.Tables(); len(got) != 6 || len(got[3].Splits) != 7 || len(got[5].Splits) != 15 {
		t.Errorf("tables %+v", got)
	}
	// What it shows as defaults are the defaults.
	plain, err := Parse("x.yaml", []byte(canonical))
	if err != nil {
		t.Fatal(err)
	}
	c.Tables, plain.Tables, c.Mappings, plain.Mappings = nil, nil, nil, nil
	c.places, plain.places = places{}, places{}
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

// TestWhatTheExampleLeavesOutIsValid takes the comments from settings that are commented out.
func TestWhatTheExampleLeavesOutIsValid(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{
		{"  # partitions:"},
		{"  # rack:"},
		{"  # user: "},
		{"    # delete_families:"},
		{"    # allow_duplicates:"},
		{"    # splits:"},
		{"      # - {field: value.customer_id, substring:"},
		{"  # sasl:", "  #   mechanism:", "  #   username:", "  #   password_file:"},
		{"  # sasl:", "  #   mechanism:", "  #   username_file:", "  #   password_env:"},
	} {
		text := string(data)
		for _, line := range lines {
			if strings.Count(text, line) != 1 {
				t.Fatalf("%q stands %d times in the example", line, strings.Count(text, line))
			}
			text = strings.Replace(text, line, strings.Replace(line, "# ", "", 1), 1)
		}
		if _, err := Parse("x.yaml", []byte(text)); err != nil {
			t.Errorf("%q: %v", lines, err)
		}
	}
	for _, swap := range [][]string{
		{"assignment: static", "assignment: group", "# group_id:", "group_id:"},
		{"enabled: false", "enabled: true", "# ca:", "ca:", "# cert:", "cert:", "# key: client", "key: client", "# server_name:", "server_name:"},
		{"    value: {format: json}\n    # One", "    # One", "# value: {format: csv", "value: {format: csv"},
		{"    value: {format: json}\n    # One", "    # One", "# value: {format: json, compression", "value: {format: json, compression"},
		{"- {hash: md5,", "# - {hash: md5,", "# - {hash: murmur3,", "- {hash: murmur3,"},
		{"    timestamp: record\n", "", "# timestamp:", "timestamp:", "# timestamp_unit:", "timestamp_unit:", "# max_future:", "max_future:", "# max_past:", "max_past:"},
	} {
		if _, err := Parse("x.yaml", []byte(strings.NewReplacer(swap...).Replace(string(data)))); err != nil {
			t.Errorf("%q: %v", swap, err)
		}
	}
}
