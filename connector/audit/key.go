package audit

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// KeyForm is how a row key is written.
type KeyForm uint8

// Forms of a row key.
const (
	KeyText KeyForm = iota
	KeyHex
	KeyEscaped
)

// ParseKey reads a row key as people write it: its text, hex digits, or as the HBase shell has it, with \xNN.
func ParseKey(text string, form KeyForm) ([]byte, error) {
	switch form {
	case KeyHex:
		key, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil || len(key) == 0 {
			return nil, fmt.Errorf("row key %q: it is not in hex digits, two a byte", text)
		}
		return key, nil
	case KeyEscaped:
		return unescape(text)
	}
	if text == "" {
		return nil, fmt.Errorf("row key %q: it is empty", text)
	}
	return []byte(text), nil
}

func unescape(text string) ([]byte, error) {
	var key []byte
	for rest := text; rest != ""; {
		if rest[0] != '\\' {
			key, rest = append(key, rest[0]), rest[1:]
			continue
		}
		if len(rest) < 4 || rest[1] != 'x' {
			return nil, fmt.Errorf(`row key %q: a backslash begins \xNN, with two hex digits`, text)
		}
		b, err := hex.DecodeString(rest[2:4])
		if err != nil {
			return nil, fmt.Errorf(`row key %q: a backslash begins \xNN, with two hex digits`, text)
		}
		key, rest = append(key, b...), rest[4:]
	}
	if len(key) == 0 {
		return nil, fmt.Errorf("row key %q: it is empty", text)
	}
	return key, nil
}
