package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks are those of a second in /proc: the same on every Linux that Go runs on.
const ticks = 100

// usage is what processes have taken so far.
type usage struct {
	cpu  float64 // seconds
	peak float64 // bytes, resident, since forgetPeak; each process's own, added up
}

// usageOf reads /proc.
func usageOf(pids []int) (usage, error) {
	var u usage
	for _, pid := range pids {
		stat, err := os.ReadFile(procFile(pid, "stat"))
		if err != nil {
			return u, fmt.Errorf("reading the processor time of process %d: %w", pid, err)
		}
		cpu, err := parseStat(string(stat))
		if err != nil {
			return u, fmt.Errorf("reading the processor time of process %d: %w", pid, err)
		}
		status, err := os.ReadFile(procFile(pid, "status"))
		if err != nil {
			return u, fmt.Errorf("reading the memory of process %d: %w", pid, err)
		}
		peak, err := parsePeak(string(status))
		if err != nil {
			return u, fmt.Errorf("reading the memory of process %d: %w", pid, err)
		}
		u.cpu += cpu
		u.peak += peak
	}
	return u, nil
}

// forgetPeak lets the peak of resident memory begin anew from what there is now.
func forgetPeak(pids []int) error {
	for _, pid := range pids {
		if err := os.WriteFile(procFile(pid, "clear_refs"), []byte("5"), 0); err != nil {
			return fmt.Errorf("resetting the peak memory of process %d: %w", pid, err)
		}
	}
	return nil
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// parseStat takes user and system time, the 14th and 15th field; the second, the name in brackets, may hold anything.
func parseStat(text string) (seconds float64, err error) {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("%d fields behind the name, want 13 or more", len(fields))
	}
	for _, f := range fields[11:13] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0, err
		}
		seconds += float64(n) / ticks
	}
	return seconds, nil
}

// parsePeak finds VmHWM.
func parsePeak(text string) (bytes float64, err error) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kb * 1024, err
		}
	}
	return 0, fmt.Errorf("no VmHWM in the process's status")
}
