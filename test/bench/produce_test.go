package main

import (
	"encoding/json"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestMadeRecords(t *testing.T) {
	var r kgo.Record
	orders()(123, &r)
	var fields map[string]string
	if err := json.Unmarshal(r.Value, &fields); err != nil || len(fields) != 7 {
		t.Errorf("%s: %v", r.Value, err)
	}
	if len(r.Value) < 290 || len(r.Value) > 310 || string(r.Key) != "order-0000000123" {
		t.Errorf("%d bytes under key %s, want about 300", len(r.Value), r.Key)
	}
	plain := letters(200)
	for i := range 2 {
		plain(i, &r)
		if len(r.Key)+len(r.Value) != 200 {
			t.Errorf("key and value of %d and %d bytes, want 200 together", len(r.Key), len(r.Value))
		}
	}
}
