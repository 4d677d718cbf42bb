package rowkey

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
)

func appendUUID(dst []byte, v Value) ([]byte, error) {
	switch {
	case v.Kind == Bytes:
		return dst, errRawText
	case v.Kind != Text || len(v.Text) != 36:
		return dst, errUUID
	}
	out := dst
	from := 0
	for _, to := range [...]int{8, 13, 18, 23, 36} {
		if to < 36 && v.Text[to] != '-' {
			return dst, errUUID
		}
		var err error
		if out, err = hex.AppendDecode(out, v.Text[from:to]); err != nil {
			return dst, errUUID
		}
		from = to + 1
	}
	return out, nil
}

func readUUID(b []byte) string {
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// The alphabets, with padding and without. Bits that are left over must be zero, so that no two texts that are both
// padded, or both not, stand for the same bytes.
var (
	base64Padded    = base64.StdEncoding.Strict()
	base64Bare      = base64.RawStdEncoding.Strict()
	base64URLPadded = base64.URLEncoding.Strict()
	base64URLBare   = base64.RawURLEncoding.Strict()
)

func (e Encoding) appendBase64(dst []byte, v Value) ([]byte, error) {
	padded, bare, reason := base64Padded, base64Bare, errBase64
	if e == Base64URL {
		padded, bare, reason = base64URLPadded, base64URLBare, errBase64URL
	}
	if v.Kind == Bytes {
		return dst, errRawText
	}
	// The decoder passes line ends over, which would give two texts one key.
	if v.Kind != Text || bytes.ContainsAny(v.Text, "\r\n") {
		return dst, reason
	}
	form := bare
	if bytes.HasSuffix(v.Text, []byte{'='}) {
		form = padded
	}
	out, err := form.AppendDecode(dst, v.Text)
	if err != nil {
		return dst, reason
	}
	return out, nil
}

func (e Encoding) readBase64(b []byte) string {
	if e == Base64URL {
		return base64URLPadded.EncodeToString(b)
	}
	return base64Padded.EncodeToString(b)
}
