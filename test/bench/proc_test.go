package main

import (
	"os"
	"testing"
)

func TestParseProc(t *testing.T) {
	got, err := parseStat("77 (a (b) 1 2) S 1 77 77 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 100 1 2")
	if err != nil || got != 3 {
		t.Errorf("%v seconds, %v, want 3", got, err)
	}
	if _, err := parseStat("77 (a) S 1"); err == nil {
		t.Error("a line cut short was taken")
	}
	if got, err := parsePeak("Name:\ta\nVmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"); err != nil || got != 2<<20 {
		t.Errorf("%v bytes, %v, want 2 MiB", got, err)
	}
	if _, err := parsePeak("Name:\ta\n"); err == nil {
		t.Error("a status without a peak was taken")
	}
}

func TestUsageOfThisProcess(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip("this system has no /proc/self/clear_refs")
	}
	me := []int{os.Getpid()}
	if err := forgetPeak(me); err != nil {
		t.Fatal(err)
	}
	u, err := usageOf(me)
	if err != nil || u.peak < 1<<20 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := usageOf([]int{1 << 30}); err == nil {
		t.Error("a process that is not there has a usage")
	}
}
