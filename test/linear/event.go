package linear

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"unicode"
)

// Outcome is what the client knows of a call that changes something.
type Outcome string

// Outcomes.
const (
	// Applied: it took effect, once.
	Applied Outcome = "applied"
	// Refused: its condition did not hold when it was looked at; it never takes effect.
	Refused Outcome = "refused"
	// Failed: it never takes effect, and says nothing of the state.
	Failed Outcome = "failed"
	// Unknown: it takes effect once, at any time after its call, also long after its return; or never. Such are calls
	// without an answer, and those of a client that died.
	Unknown Outcome = "unknown"
)

// Event is what all operations have in common.
type Event struct {
	Client  int     `json:"client"`
	Key     string  `json:"key"`              // which register or row; each is checked by itself
	Call    int64   `json:"call"`             // nanoseconds
	Return  int64   `json:"return,omitempty"` // nanoseconds; has no meaning with Unknown
	Outcome Outcome `json:"outcome"`          // a read has Applied, or Failed if it got nothing
}

// never is the return of a call that may take effect at any later time.
const never = math.MaxInt64

func (e *Event) check() error {
	switch e.Outcome {
	case Unknown:
		return nil
	case Applied, Refused, Failed:
		if e.Return < e.Call {
			return fmt.Errorf("reading an operation of client %d on %s: it returned at %d, before its call at %d", e.Client, e.Key, e.Return, e.Call)
		}
		return nil
	}
	return fmt.Errorf("reading an operation of client %d on %s at %d: its outcome is %q, want applied, refused, failed or unknown", e.Client, e.Key, e.Call, e.Outcome)
}

// Value is any bytes; as JSON it is hexadecimal. Empty is an absent cell.
type Value string

// MarshalText gives hexadecimal digits.
func (v Value) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, []byte(v)), nil }

// UnmarshalText reads hexadecimal digits.
func (v *Value) UnmarshalText(b []byte) error {
	raw, err := hex.DecodeString(string(b))
	if err != nil {
		return fmt.Errorf("reading a value of a recorded operation: %w", err)
	}
	*v = Value(raw)
	return nil
}

// String gives text as it is, and other bytes as hexadecimal digits.
func (v Value) String() string {
	if v == "" {
		return "absent"
	}
	for _, r := range string(v) {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return hex.EncodeToString([]byte(v))
		}
	}
	return strconv.Quote(string(v))
}
