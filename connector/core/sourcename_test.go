package core

import "testing"

func TestSourceNamesAreReadBack(t *testing.T) {
	for _, want := range []Source{
		{Sink: "s", Topic: "t"},
		{Sink: "s", Topic: "a.b-c_d", Partition: 12},
		{Sink: "s", Topic: "t", Partition: 3, Incarnation: 2},
		{Sink: "s", Run: "fix-42", Topic: "t", Partition: 3, Incarnation: 10},
	} {
		sink := want.Sink
		if want.Run != "" {
			sink += "~" + want.Run
		}
		name := SourceName(sink, want.Topic, want.Partition, want.Incarnation)
		if got, ok := ParseSourceName(name); !ok || got != want {
			t.Errorf("%s is read as %+v, %v", name, got, ok)
		}
	}
	for _, name := range []string{
		"", "s", "s/", "s/t", "s/t/", "s/t/x", "s/t/-1", "s/t/+1", "s/t/1#", "s/t/1#0", "s/t/1#01", "s/t/1#-1", "s/t/1#x", "s/t/1#1#2", "s/t/01", "s/t/1/2",
		"/t/1", "s//1", "s!retry~id", "s/t/0~fix", "s/t/0#1~fix", "s/t/2147483648", "s/t/99999999999",
	} {
		if got, ok := ParseSourceName(name); ok {
			t.Errorf("%q is taken for %+v", name, got)
		}
	}
}
