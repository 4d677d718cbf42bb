package rowkey

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestUUIDs(t *testing.T) {
	for s, want := range map[string]string{
		"123e4567-e89b-12d3-a456-426614174000":          "123e4567e89b12d3a456426614174000",
		"123E4567-E89B-12D3-A456-426614174000":          "123e4567e89b12d3a456426614174000",
		"ffffffff-ffff-ffff-ffff-ffffffffffff":          "ffffffffffffffffffffffffffffffff",
		"123e4567e89b12d3a456426614174000":              "",
		"{123e4567-e89b-12d3-a456-426614174000}":        "",
		"urn:uuid:123e4567-e89b-12d3-a456-426614174000": "",
		"123e4567-e89b-12d3-a456-42661417400":           "",
		"123e4567-e89b-12d3-a456-4266141740000":         "",
		"123e4567-e89b-12d3-a456-42661417400g":          "",
		"123e4567+e89b-12d3-a456-426614174000":          "",
		"123e456-7e89b-12d3-a456-426614174000":          "",
		"--------e----e----e----e------------":          "",
	} {
		got, err := one(Part{Field: "value", As: "uuid"}, text(s))
		if want == "" && err == nil || want != "" && (err != nil || hex.EncodeToString(got) != want) {
			t.Errorf("%q: %x, %v, want %s", s, got, err, want)
		}
	}
}

// TestBase64 takes the test vectors of RFC 4648 and what its section 3 says to refuse.
func TestBase64(t *testing.T) {
	for _, c := range []struct{ as, text, want string }{
		{"base64", "Zg==", "f"},
		{"base64", "Zm8=", "fo"},
		{"base64", "Zm9v", "foo"},
		{"base64", "Zm9vYmFy", "foobar"},
		{"base64", "Zg", "f"},
		{"base64url", "Zm8", "fo"},
		{"base64url", "Zm8=", "fo"},
		{"base64", "+/+/", "\xfb\xff\xbf"},
		{"base64url", "-_-_", "\xfb\xff\xbf"},
		{"base64", "-_-_", "!"},
		{"base64url", "+/+/", "!"},
		{"base64", "Zh==", "!"},
		{"base64", "Zm9=", "!"},
		{"base64", "Zg=", "!"},
		{"base64", "Z", "!"},
		{"base64", "====", "!"},
		{"base64", "Zm9v\n", "!"},
		{"base64", "Zm\r\n9v", "!"},
		{"base64", "Zm 9v", "!"},
		{"base64", "Zg==Zg==", "!"},
		{"base64", "=", "!"},
	} {
		got, err := one(Part{Field: "value", As: c.as}, text(c.text))
		if c.want == "!" && err == nil || c.want != "!" && (err != nil || string(got) != c.want) {
			t.Errorf("%q as %s: %q, %v, want %q", c.text, c.as, got, err, c.want)
		}
	}
	for _, v := range []Value{number("1234"), {Kind: Bytes, Text: []byte("Zm9v")}, {Kind: Int, Int: 1234}, {Kind: Bool}} {
		for _, as := range []string{"base64", "uuid"} {
			if got, err := one(Part{Field: "value", As: as}, v); err == nil {
				t.Errorf("%+v as %s: %x", v, as, got)
			}
		}
	}
}

// TestEndlessDecimals: converting digits to a whole number takes time by their square.
func TestEndlessDecimals(t *testing.T) {
	for n, fits := range map[int]bool{MaxLength: true, MaxLength + 1: false} {
		for _, s := range []string{strings.Repeat("9", n), "0." + strings.Repeat("9", n)} {
			if _, err := BytesDecimal.Append(nil, number(s)); (err == nil) != fits {
				t.Errorf("%d digits: %v", n, err)
			}
		}
	}
}
