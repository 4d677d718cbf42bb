package core

import (
	"testing"

	"rowmark/kafka"
)

func TestSourceNamesAreTakenApart(t *testing.T) {
	for name, want := range map[string]struct {
		tp kafka.TopicPartition
		n  int
	}{
		"s/orders/0":              {kafka.TopicPartition{Topic: "orders"}, 0},
		"s/orders/12#3":           {kafka.TopicPartition{Topic: "orders", Partition: 12}, 3},
		"s/a.b-c_d/2147483647#10": {kafka.TopicPartition{Topic: "a.b-c_d", Partition: 2147483647}, 10},
	} {
		tp, n, ok := ParseSourceName("s", name)
		if !ok || tp != want.tp || n != want.n {
			t.Errorf("%s was read as %v, incarnation %d, %t", name, tp, n, ok)
		}
	}
}

func TestForeignNamesAreNoSources(t *testing.T) {
	for _, name := range []string{
		"", "s", "s/", "s/orders", "s/orders/", "s//0", "other/orders/0", "ss/orders/0", "s!retry~1f", "s/orders/0~fix",
		"s/orders/0#1~fix", "s/orders/x", "s/orders/-1", "s/orders/+1", "s/orders/01", "s/orders/2147483648", "s/orders/0#",
		"s/orders/0#0", "s/orders/0#01", "s/orders/0#-1", "s/orders/0#x", "s/orders/0/1", "s/orders/0#1#2",
	} {
		if tp, n, ok := ParseSourceName("s", name); ok {
			t.Errorf("%q was read as %v, incarnation %d", name, tp, n)
		}
	}
}
