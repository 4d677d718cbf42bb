package decode

import "fmt"

// Fields is a decoded record. The zero value is ready; it may be used again for the next record, by one
// goroutine at a time.
type Fields struct {
	Key, Value Value
	key, value Tree
}

// Decode reads a record's key and value. An error names the part, the format and the place, never the content.
func (f *Fields) Decode(rec *Record, key, value Format) error {
	var err error
	if f.Key, err = f.key.decode(rec.Key, key); err != nil {
		return fmt.Errorf("decoding key as %s: %w", key, err)
	}
	if f.Value, err = f.value.decode(rec.Value, value); err != nil {
		return fmt.Errorf("decoding value as %s: %w", value, err)
	}
	return nil
}

// Inflated is how many bytes the fields take beside those of the record, since they came compressed.
func (f *Fields) Inflated() int { return f.key.inflated + f.value.inflated }

func (t *Tree) decode(data []byte, format Format) (Value, error) {
	t.inflated = 0
	if data == nil {
		return Value{Kind: Absent}, nil
	}
	return format.Decode(t, data)
}

// Drop lets go of the record's bytes, so that a pooled Fields does not keep them.
func (f *Fields) Drop() {
	f.Key, f.Value = Value{}, Value{}
	f.key.Drop()
	f.value.Drop()
}
