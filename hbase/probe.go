package hbase

import (
	"context"
	"crypto/rand"
	"fmt"
)

// Support is whether a server honours conditions in one of the two modes.
type Support uint8

// Answers of a probe. The zero value is SupportUnknown.
const (
	SupportUnknown Support = iota
	SupportYes
	SupportIgnored // the server ignored the condition and wrote: never use this mode there
	SupportMissing // the table lacks the MultiRowMutationEndpoint coprocessor
)

func (s Support) String() string {
	switch s {
	case SupportYes:
		return "honoured"
	case SupportIgnored:
		return "ignored"
	case SupportMissing:
		return "coprocessor missing"
	}
	return "unknown"
}

// ProbeRow asks the server of a scratch row whether it honours conditions in ModeRow: it sends a put under a
// condition that cannot hold. On a server that ignores it, the put lands in the row under the qualifier "probe".
// Each server version in use must be asked. It rides out moves and busy servers until ctx ends.
func (c *Client) ProbeRow(ctx context.Context, table string, row, family []byte) (Support, error) {
	return c.probe(ctx, table, ModeRow, row, family)
}

// ProbeRegion is ProbeRow for ModeRegion.
func (c *Client) ProbeRegion(ctx context.Context, table string, row, family []byte) (Support, error) {
	return c.probe(ctx, table, ModeRegion, row, family)
}

func (c *Client) probe(ctx context.Context, table string, mode Mode, row, family []byte) (Support, error) {
	// No cell holds a value that nobody else has seen, and an absent cell equals no value but the empty one.
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return SupportUnknown, fmt.Errorf("probing %s: %w", table, err)
	}
	qualifier := []byte("probe")
	w := RowWrite{
		Row:       row,
		Mutations: []Mutation{{Kind: KindPut, Cells: []MutationCell{{Column: &Column{Family: family, Qualifier: qualifier}, Timestamp: LatestTimestamp, Value: []byte("ignored")}}}},
		Condition: &Condition{Family: family, Qualifier: qualifier, Op: CompareEqual, Value: secret},
	}
	support := SupportUnknown
	err := c.retry(ctx, fmt.Sprintf("probing conditions on row %x of %s", row, table), func(ctx context.Context) error {
		var res WriteResult
		c.Write(ctx, table, mode, []RowWrite{w}, func(_ []int, r []WriteResult) { res = r[0] })
		var err error
		support, err = verdict(res)
		return err // a second try does no more harm than the first, even after Unknown
	})
	return support, err
}

// verdict is what the outcome of the probing write says.
func verdict(res WriteResult) (Support, error) {
	switch {
	case res.Outcome == Refused && res.Err == nil:
		return SupportYes, nil
	case res.Outcome == Applied:
		return SupportIgnored, nil
	case FaultOf(res.Err) == FaultUnsupported && res.Outcome == Unknown:
		return SupportIgnored, nil
	case FaultOf(res.Err) == FaultUnsupported:
		return SupportMissing, nil
	}
	return SupportUnknown, res.Err
}
