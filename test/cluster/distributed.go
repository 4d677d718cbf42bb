package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// HadoopVersion is the HDFS under the distributed HBase.
const HadoopVersion = "3.4.2"

// distributedPorts are fixed for the life of the cluster, so that a restarted
// process comes back where it was.
type distributedPorts struct {
	zooKeeper, nameNode, nameNodeHTTP, dataNode, dataNodeHTTP, dataNodeIPC, master int
	regionServers                                                                  []int
}

// StartDistributedHBase starts HDFS (one NameNode, one DataNode), ZooKeeper,
// a master and region servers, each in a JVM of its own, and waits until all
// serve. Data and log live in HDFS, so any region server may be killed without
// loss. The death of one is noticed within HBaseOptions.SessionTimeout; from
// then on it takes some 5 s, on an idle machine of two cores, until its regions
// are written again elsewhere, hbase:meta first. Behind a paused server it takes
// some 10 s more, as the master's own calls to it have to time out.
func StartDistributedHBase(ctx context.Context, o HBaseOptions) (*HBase, error) {
	if o.Version == "" {
		o.Version = HBaseVersion
	}
	if o.RegionServers == 0 {
		o.RegionServers = 2
	}
	if o.SessionTimeout == 0 {
		o.SessionTimeout = 6 * time.Second
	}
	java, err := FindJava(ctx)
	if err != nil {
		return nil, err
	}
	cp, err := o.classpath(ctx, "HBase "+o.Version+" for Hadoop "+HadoopVersion,
		artifact{"org.apache.hbase", "hbase-server", o.Version + "-hadoop3"},
		artifact{"org.apache.hadoop", "hadoop-common", HadoopVersion},
		artifact{"org.apache.hadoop", "hadoop-hdfs", HadoopVersion},
		artifact{"org.apache.hadoop", "hadoop-hdfs-client", HadoopVersion})
	if err != nil {
		return nil, err
	}
	return retryClash(func() (*HBase, error) { return startDistributedOnce(ctx, o, java, cp) })
}

func startDistributedOnce(ctx context.Context, o HBaseOptions, java, cp string) (_ *HBase, err error) {
	o.logf("starting HBase %s on HDFS, %d region servers", o.Version, o.RegionServers)
	dir, err := o.workDir("hbase")
	if err != nil {
		return nil, err
	}
	h := &HBase{opts: o, dir: dir, java: java, cp: dir + string(filepath.ListSeparator) + cp}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("starting HBase %s on HDFS: %w", o.Version, err), h.Stop())
		}
	}()
	free, err := pickPorts(7 + o.RegionServers)
	if err != nil {
		return nil, err
	}
	p := distributedPorts{free[0], free[1], free[2], free[3], free[4], free[5], free[6], free[7:]}
	h.zkPort, h.masterPort, h.regionPorts = p.zooKeeper, p.master, p.regionServers
	site := distributedSite(dir, p, o.SessionTimeout)
	maps.Copy(site, commonSite(dir))
	maps.Copy(site, o.Config)
	if err := writeHBaseConfig(dir, site); err != nil {
		return nil, err
	}
	if err := writeHDFSConfig(dir, p); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "SkewedClock.java"), skewedClock, 0o644); err != nil {
		return nil, fmt.Errorf("configuring HBase: %w", err)
	}
	h.makeProcesses(p)
	began := time.Now()
	if err := h.startAll(ctx); err != nil {
		return h, err
	}
	h.opts.logf("HBase serves, ZooKeeper at %s, %.1f s after its start", addr(h.zkPort), time.Since(began).Seconds())
	return h, nil
}

func (h *HBase) makeProcesses(p distributedPorts) {
	logged := func(texts ...string) func(context.Context, *Process) error {
		return func(ctx context.Context, p *Process) error { return p.waitForLog(ctx, texts...) }
	}
	h.nameNode = h.process("namenode", 256, logged("NameNode RPC up at"), "org.apache.hadoop.hdfs.server.namenode.NameNode")
	h.dataNode = h.process("datanode", 256, logged("successfully registered with NN"), "org.apache.hadoop.hdfs.server.datanode.DataNode")
	h.zooKeeper = h.process("zookeeper", 128, logged("binding to port"), "org.apache.hadoop.hbase.zookeeper.HQuorumPeer")
	h.master = h.process("master", 384, logged("Master has completed initialization"),
		"org.apache.hadoop.hbase.master.HMaster", "start")
	for i, port := range p.regionServers {
		main := h.regionServerMain(i)
		h.regionServers = append(h.regionServers, h.process("regionserver"+strconv.Itoa(i+1), 512, logged("Serving as "), main[0],
			append(main[1:], "-D", fmt.Sprintf("hbase.regionserver.port=%d", port), "start")...))
	}
	h.procs = append([]*Process{h.nameNode, h.dataNode, h.zooKeeper, h.master}, h.regionServers...)
}

func (h *HBase) process(name string, heapMB int, ready func(context.Context, *Process) error, main string, args ...string) *Process {
	return &Process{
		name: name, dir: h.dir, detach: h.opts.Detach, logPath: filepath.Join(h.dir, name+".log"), ready: ready,
		argv: slices.Concat([]string{h.java}, h.opts.jvm(heapMB), java17Flags,
			[]string{"-Djava.io.tmpdir=" + filepath.Join(h.dir, "tmp"), "-Dzookeeper.admin.enableServer=false", "-cp", h.cp, main}, args),
	}
}

func (h *HBase) startAll(ctx context.Context) error {
	format := h.process("format", 128, nil, "org.apache.hadoop.hdfs.server.namenode.NameNode", "-format", "-nonInteractive")
	if out, err := exec.CommandContext(ctx, format.argv[0], format.argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("formatting the NameNode: %w; its last lines:\n%s", err, lastLines(string(out), 15))
	}
	if err := startTogether(ctx, h.nameNode, h.dataNode, h.zooKeeper); err != nil {
		return err
	}
	if err := startTogether(ctx, append([]*Process{h.master}, h.regionServers...)...); err != nil {
		return err
	}
	return nil
}
