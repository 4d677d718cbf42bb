package cluster

import (
	_ "embed" // the Java source is part of the program
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

//go:embed java/SkewedClock.java
var skewedClock []byte

func (h *HBase) skewFile(i int) string {
	return filepath.Join(h.dir, "regionserver"+strconv.Itoa(i+1)+".skew")
}

// regionServerMain is what to run as region server i, after the class path.
func (h *HBase) regionServerMain(i int) []string {
	const server = "org.apache.hadoop.hbase.regionserver.HRegionServer"
	if !h.opts.Clocks {
		return []string{server}
	}
	return []string{filepath.Join(h.dir, "SkewedClock.java"), h.skewFile(i), server}
}

// Skew puts the clock of region server i of a distributed HBase that was
// started with Clocks ahead by d, or back by a negative one, within a fifth of a
// second. It stays so over a Restart; 0 sets it right. The master turns away a
// server that starts with more than 30 s.
func (h *HBase) Skew(i int, d time.Duration) error {
	if !h.opts.Clocks {
		return errors.New("skewing a region server's clock: HBase was started without HBaseOptions.Clocks")
	}
	// Under a name of its own first: the server must not read half a number.
	part := h.skewFile(i) + ".new"
	if err := os.WriteFile(part, []byte(strconv.FormatInt(d.Milliseconds(), 10)), 0o644); err != nil {
		return fmt.Errorf("skewing a region server's clock: %w", err)
	}
	if err := os.Rename(part, h.skewFile(i)); err != nil {
		return fmt.Errorf("skewing a region server's clock: %w", err)
	}
	return nil
}
