package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rowmark/connector/mapping"
)

// schemaFiles reads the files that the tables name as schemas.
func (d *decoder) schemaFiles(tables []mapping.Spec) {
	for i := range tables {
		for key, f := range map[string]*mapping.Format{"key": &tables[i].Key, "value": &tables[i].Value} {
			if f.Schema == "" {
				continue
			}
			text, err := os.ReadFile(f.Schema)
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			if err == nil && len(text) == 0 {
				err = errors.New("it is empty")
			}
			if err != nil {
				d.at(fmt.Sprintf("tables[%d].%s.schema", i, key), f.Schema, "reading the file: %v", err)
				continue
			}
			f.SchemaText = string(text)
		}
	}
}
