package fit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rowmark/docs"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// Check gives what the schema finds wrong with a YAML text.
func Check(text []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(docs.Schema))
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.schema.json", doc); err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	schema, err := c.Compile("config.schema.json")
	if err != nil {
		return fmt.Errorf("compiling the schema: %w", err)
	}
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("reading the text: %w", err)
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("writing the text as JSON: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("reading the text as JSON: %w", err)
	}
	return schema.Validate(value)
}
