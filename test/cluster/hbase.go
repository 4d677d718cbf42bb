package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// HBaseVersion is the version started unless HBaseOptions names another.
const HBaseVersion = "2.6.4"

// HBaseOptions say what HBase to start.
type HBaseOptions struct {
	Options
	Version       string // default HBaseVersion
	RegionServers int    // distributed only; default 2
	// SessionTimeout, distributed only, is how long ZooKeeper waits for a
	// silent server before it calls it dead; at least 2 s, default 6 s.
	SessionTimeout time.Duration
	// Clocks, distributed only, lets Skew put region servers' clocks wrong, for
	// a second more at each of their starts. It needs a JDK.
	Clocks bool
	Config map[string]string // laid over the hbase-site.xml of every process
}

// HBase is a running HBase.
type HBase struct {
	opts       HBaseOptions
	dir        string
	java       string
	cp         string
	zkPort     int
	masterPort int // distributed only
	procs      []*Process

	nameNode, dataNode, zooKeeper, master *Process
	regionServers                         []*Process
	regionPorts                           []int
}

// StartHBase starts HBase with its ZooKeeper in one JVM on local files, and
// waits until it serves. Local files lose the end of the write-ahead log when
// the process is killed: for crash tests use StartDistributedHBase.
func StartHBase(ctx context.Context, o HBaseOptions) (*HBase, error) {
	if o.Version == "" {
		o.Version = HBaseVersion
	}
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	cp, err := o.classpath(ctx, "HBase "+o.Version, artifact{"org.apache.hbase", "hbase-server", o.Version})
	if err != nil {
		return nil, err
	}
	return retryClash(func() (*HBase, error) { return startHBaseOnce(ctx, o, java, cp) })
}

func startHBaseOnce(ctx context.Context, o HBaseOptions, java, cp string) (_ *HBase, err error) {
	o.logf("starting HBase %s in one JVM", o.Version)
	dir, err := o.workDir("hbase")
	if err != nil {
		return nil, err
	}
	h := &HBase{opts: o, dir: dir, java: java, cp: dir + string(filepath.ListSeparator) + cp}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Stop())
		}
	}()
	ports, err := pickPorts(1)
	if err != nil {
		return nil, err
	}
	h.zkPort = ports[0]
	site := map[string]string{
		"hbase.rootdir":                                 "file://" + filepath.Join(dir, "root"),
		"hbase.cluster.distributed":                     "false",
		"hbase.localcluster.assign.random.ports":        "true",
		"hbase.wal.provider":                            "filesystem",
		"hbase.unsafe.stream.capability.enforce":        "false",
		"hbase.zookeeper.property.clientPort":           strconv.Itoa(h.zkPort),
		"hbase.zookeeper.property.dataDir":              filepath.Join(dir, "zookeeper"),
		"hbase.master.wait.on.regionservers.maxtostart": "1",
		"hbase.regionserver.handler.count":              "20",
	}
	maps.Copy(site, commonSite(dir))
	maps.Copy(site, o.Config)
	if err := writeHBaseConfig(dir, site); err != nil {
		return nil, err
	}
	h.master = &Process{
		name: "hbase", dir: dir, detach: o.Detach, logPath: filepath.Join(dir, "hbase.log"),
		argv: slices.Concat([]string{java}, o.jvm(1024), java17Flags, []string{
			"-Djava.io.tmpdir=" + filepath.Join(dir, "tmp"),
			"-Dzookeeper.admin.enableServer=false",
			"-cp", h.cp, "org.apache.hadoop.hbase.master.HMaster", "start",
		}),
		// A clash of ZooKeeper's port ends the JVM, so what is ready is ours.
		ready: func(ctx context.Context, p *Process) error {
			return p.waitForLog(ctx, "Master has completed initialization", "Serving as ")
		},
	}
	h.procs = []*Process{h.master}
	if err := h.master.Start(ctx); err != nil {
		return nil, fmt.Errorf("starting HBase %s: %w", o.Version, err)
	}
	o.logf("HBase serves, ZooKeeper at %s", addr(h.zkPort))
	return h, nil
}

// ZooKeeper is the address of the quorum, as host:port.
func (h *HBase) ZooKeeper() []string { return []string{addr(h.zkPort)} }

// Processes returns all processes of the service.
func (h *HBase) Processes() []*Process { return slices.Clone(h.procs) }

// Master is the process of the master; in one-JVM mode it is the only one.
func (h *HBase) Master() *Process { return h.master }

// Stop ends all processes and removes what they stored.
func (h *HBase) Stop() error { return stopAll(h.procs, h.dir, h.opts.Options) }
