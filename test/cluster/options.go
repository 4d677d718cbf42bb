package cluster

import (
	"fmt"
	"os"
	"path/filepath"
)

// Options are common to all services this package starts.
type Options struct {
	// Dir is where a service puts its data and logs, in a subfolder of its own
	// that Stop removes. Default: the system's folder for temporary files.
	Dir string
	// Cache keeps the class paths found by Maven from run to run.
	// Default: the folder rowmark in the user's cache folder.
	Cache string
	// Log receives one line per step, for a progress display. May be nil.
	Log func(string)
	// Detach leaves the processes running when the program that started them
	// ends without calling Stop.
	Detach bool
	// Keep leaves data and logs in place on Stop, to look at after a failure.
	Keep bool
	// JVM replaces the default flags of each process, which favour a quick
	// start and little memory over speed.
	JVM []string
}

// quickJVM suits short tests: no second compiler, no parallel collector.
var quickJVM = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"}

func (o Options) logf(format string, args ...any) {
	if o.Log != nil {
		o.Log(fmt.Sprintf(format, args...))
	}
}

func (o Options) jvm(heapMB int) []string {
	if o.JVM != nil {
		return o.JVM
	}
	return append([]string{fmt.Sprintf("-Xmx%dm", heapMB)}, quickJVM...)
}

func (o Options) cacheDir() (string, error) {
	dir := o.Cache
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("finding the user's cache folder (set XDG_CACHE_HOME or HOME): %w", err)
		}
		dir = filepath.Join(base, "rowmark")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making cache folder: %w", err)
	}
	return filepath.Abs(dir)
}
