package cluster

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// DFSAdmin runs `hdfs dfsadmin` with these arguments on the HDFS of a
// distributed HBase, such as -setSpaceQuota 1 /hbase/WALs, which leaves a folder
// no room for another block. What is being written goes on in its last block.
func (h *HBase) DFSAdmin(ctx context.Context, args ...string) error {
	p := h.process("dfsadmin", 128, nil, "org.apache.hadoop.hdfs.tools.DFSAdmin", args...)
	if out, err := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("hdfs dfsadmin %s: %w; its last lines:\n%s", strings.Join(args, " "), err, lastLines(string(out), 15))
	}
	return nil
}
