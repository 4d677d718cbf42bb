package main

import "testing"

func TestParseTotals(t *testing.T) {
	log := `{"level":"info","records":5,"message":"progress"}
not JSON
{"level":"info","records":10,"rows":7,"hbase_calls":12,"kafka_ranges":3,"message":"stopped"}
`
	if calls, ranges, err := parseTotals([]byte(log)); calls != 12 || ranges != 3 || err != nil {
		t.Errorf("%v calls, %v ranges, %v, want 12 and 3", calls, ranges, err)
	}
	if _, _, err := parseTotals([]byte(`{"message":"stopped"}`)); err == nil {
		t.Error("a line without totals was taken")
	}
}
