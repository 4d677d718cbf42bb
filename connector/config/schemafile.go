package config

import (
	"errors"
	"fmt"
	"os"

	"rowmark/connector/mapping"
)

// schemaFiles reads the files that the tables name as schemas.
func (d *decoder) schemaFiles(tables []mapping.Spec) {
	for i := range tables {
		d.schemaFile(fmt.Sprintf("tables[%d].key.schema", i), &tables[i].Key)
		d.schemaFile(fmt.Sprintf("tables[%d].value.schema", i), &tables[i].Value)
	}
}

func (d *decoder) schemaFile(key string, f *mapping.Format) {
	if f.Schema == "" {
		return
	}
	text, err := os.ReadFile(f.Schema)
	if err == nil && len(text) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		d.at(key, f.Schema, "reading the file: %v", reason(err))
		return
	}
	f.SchemaText = string(text)
}
