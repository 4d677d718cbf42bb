package preview

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bytes is what people and programs read of bytes.
type Bytes struct {
	Text string `json:"text"` // as the HBase shell has it, \xNN for what is no printable text
	Hex  string `json:"hex"`
}

// BytesOf gives both forms.
func BytesOf(b []byte) Bytes { return Bytes{Readable(b), hex.EncodeToString(b)} }

// Readable is the text of bytes, if they are text that can be printed, and otherwise escaped byte by byte.
func Readable(b []byte) string {
	if printable(b) {
		return string(b)
	}
	var out strings.Builder
	for _, c := range b {
		if c >= ' ' && c <= '~' && c != '\\' {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, `\x%02X`, c)
		}
	}
	return out.String()
}

func printable(b []byte) bool {
	return utf8.Valid(b) && !strings.ContainsFunc(string(b), func(r rune) bool { return !unicode.IsPrint(r) || r == '\\' })
}

// String gives the text in quotes, and the hex form beside it where the text is no plain one.
func (b Bytes) String() string {
	if raw, err := hex.DecodeString(b.Hex); err == nil && printable(raw) {
		return `"` + b.Text + `"`
	}
	return `"` + b.Text + `" (` + b.Hex + ")"
}
