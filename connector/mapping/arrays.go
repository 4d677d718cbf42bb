package mapping

import (
	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// needArrays has what lies in the arrays of a root read.
func (r *rule) needArrays(root rowkey.Root) {
	if root == rowkey.RootKey {
		r.keyArrays = true
	} else {
		r.valueArrays = true
	}
}

// keepArrays gives the mappings of a topic one format where one of them needs the arrays: what is equal is read once.
func keepArrays(rules []*rule) {
	for _, a := range rules {
		for _, b := range rules {
			if a != b && !a.meets(b) {
				continue
			}
			if a.keyArrays {
				b.key = decode.WithArrays(b.key)
			}
			if a.valueArrays {
				b.value = decode.WithArrays(b.value)
			}
		}
	}
}
