package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// usage is what a leak would let grow (I12).
type usage struct {
	goroutines int
	files      int // open files and sockets; 0 where the system does not tell
}

func use() usage {
	u := usage{goroutines: runtime.NumGoroutine()}
	if all, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(all)
	}
	return u
}

// spare is what may stay of many histories, whatever their number.
const spare = 20

// grown says by what a usage is above another, empty if it is not.
func (u usage) grown(from usage) string {
	if u.goroutines > from.goroutines+spare || u.files > from.files+spare {
		return fmt.Sprintf("from %d to %d goroutines, from %d to %d open files", from.goroutines, u.goroutines, from.files, u.files)
	}
	return ""
}

// settled waits until nothing has grown; timers of what was closed may take a while.
func settled(from usage, atMost time.Duration) usage {
	end := time.Now().Add(atMost)
	for {
		u := use()
		if u.grown(from) == "" || time.Now().After(end) {
			return u
		}
		time.Sleep(50 * time.Millisecond)
	}
}
