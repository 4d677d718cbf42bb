package decode

// WithArrays gives the format that keeps what lies in arrays too, so that paths lead there. Formats that do so anyway, and
// those without arrays, stay what they are.
func WithArrays(f Format) Format {
	switch f := f.(type) {
	case jsonFormat:
		return jsonFormat{all: true}
	case jsonSchemaFormat:
		return jsonSchemaFormat{all: true}
	case gzipFormat:
		f.Format = WithArrays(f.Format)
		return f
	}
	return f
}
