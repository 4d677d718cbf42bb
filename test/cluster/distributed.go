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
// loss. The death of one is noticed after about 6 s.
func StartDistributedHBase(ctx context.Context, o HBaseOptions) (*HBase, error) {
	if o.Version == "" {
		o.Version = HBaseVersion
	}
	if o.RegionServers == 0 {
		o.RegionServers = 2
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
	h.zkPort, h.regionPorts = p.zooKeeper, p.regionServers
	site := distributedSite(dir, p)
	maps.Copy(site, commonSite(dir))
	maps.Copy(site, o.Config)
	if err := writeHBaseConfig(dir, site); err != nil {
		return nil, err
	}
	if err := writeHDFSConfig(dir, p); err != nil {
		return nil, err
	}
	h.makeProcesses(p)
	return h, h.startAll(ctx)
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
		h.regionServers = append(h.regionServers, h.process("regionserver"+strconv.Itoa(i+1), 512, logged("Serving as "),
			"org.apache.hadoop.hbase.regionserver.HRegionServer", "-D", fmt.Sprintf("hbase.regionserver.port=%d", port), "start"))
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
	h.opts.logf("HBase serves, ZooKeeper at %s", addr(h.zkPort))
	return nil
}

// RegionServers are the processes of the region servers of a distributed
// HBase, in the order of RegionServerAddrs.
func (h *HBase) RegionServers() []*Process { return slices.Clone(h.regionServers) }

// RegionServerAddrs are the addresses by which clients and hbase:meta know
// the region servers of a distributed HBase.
func (h *HBase) RegionServerAddrs() []string {
	var s []string
	for _, p := range h.regionPorts {
		s = append(s, addr(p))
	}
	return s
}

// NameNode, DataNode and ZooKeeperProcess are processes of a distributed
// HBase, nil in one-JVM mode.
func (h *HBase) NameNode() *Process { return h.nameNode }

// DataNode holds the only copy of each block.
func (h *HBase) DataNode() *Process { return h.dataNode }

// ZooKeeperProcess is the quorum's only member.
func (h *HBase) ZooKeeperProcess() *Process { return h.zooKeeper }

func distributedSite(dir string, p distributedPorts) map[string]string {
	return map[string]string{
		"hbase.rootdir":                                 "hdfs://" + addr(p.nameNode) + "/hbase",
		"hbase.cluster.distributed":                     "true",
		"hbase.zookeeper.property.clientPort":           strconv.Itoa(p.zooKeeper),
		"hbase.zookeeper.property.dataDir":              filepath.Join(dir, "zookeeper"),
		"hbase.zookeeper.property.tickTime":             "1000",
		"zookeeper.session.timeout":                     "6000",
		"hbase.master.port":                             strconv.Itoa(p.master),
		"hbase.master.wait.on.regionservers.mintostart": strconv.Itoa(len(p.regionServers)),
		"hbase.master.wait.on.regionservers.maxtostart": strconv.Itoa(len(p.regionServers)),
		"hbase.regionserver.handler.count":              "20",
		"hbase.lease.recovery.dfs.timeout":              "5000",
		"hbase.splitlog.manager.timeoutmonitor.period":  "1000",
	}
}

// writeHDFSConfig writes the two Hadoop files and the empty web applications
// that the NameNode and the DataNode refuse to start without.
func writeHDFSConfig(dir string, p distributedPorts) error {
	core := map[string]string{
		"fs.defaultFS":   "hdfs://" + addr(p.nameNode),
		"hadoop.tmp.dir": filepath.Join(dir, "tmp"),
	}
	hdfs := map[string]string{
		"dfs.replication":                 "1",
		"dfs.namenode.name.dir":           "file://" + filepath.Join(dir, "name"),
		"dfs.datanode.data.dir":           "file://" + filepath.Join(dir, "data"),
		"dfs.namenode.rpc-address":        addr(p.nameNode),
		"dfs.namenode.http-address":       addr(p.nameNodeHTTP),
		"dfs.datanode.address":            addr(p.dataNode),
		"dfs.datanode.http.address":       addr(p.dataNodeHTTP),
		"dfs.datanode.ipc.address":        addr(p.dataNodeIPC),
		"dfs.datanode.hostname":           "127.0.0.1",
		"dfs.namenode.safemode.extension": "0",
		"dfs.permissions.enabled":         "false",
		// The disk here is small and not the thing under test.
		"dfs.namenode.resource.du.reserved": "1048576",
		"dfs.datanode.du.reserved":          "0",
	}
	errs := []error{
		writeSite(filepath.Join(dir, "core-site.xml"), core),
		writeSite(filepath.Join(dir, "hdfs-site.xml"), hdfs),
	}
	for _, app := range []string{"hdfs", "datanode"} {
		inf := filepath.Join(dir, "webapps", app, "WEB-INF")
		errs = append(errs, os.MkdirAll(inf, 0o755),
			os.WriteFile(filepath.Join(inf, "web.xml"), []byte("<?xml version=\"1.0\"?>\n<web-app/>\n"), 0o644))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("configuring HDFS: %w", err)
	}
	return nil
}
