package decode

import (
	"strings"
	"testing"
)

// Strings are read eight bytes at a time: what ends or breaks one is seen wherever it stands among them, and after what.
func TestStringsAreReadWhole(t *testing.T) {
	for _, special := range []string{`"`, `\"`, `\\`, `\u00e9`, "\x00", "\x1f", " ", "!", "#", "[", "]", "é", "😀", "\x7f", "\x80", "\xff", ""} {
		for _, fill := range []string{"a", " ", "!", "#", "é", "\x7f"} {
			for before := range 20 {
				for after := range 20 {
					text := `{"k":"` + strings.Repeat(fill, before) + special + strings.Repeat(fill, after) + `"}`
					if err := agree([]byte(text)); err != nil {
						t.Fatalf("%q: %v", text, err)
					}
				}
			}
		}
	}
}
