package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func distributedSite(dir string, p distributedPorts, session time.Duration) map[string]string {
	return map[string]string{
		"hbase.rootdir":                                 "hdfs://" + addr(p.nameNode) + "/hbase",
		"hbase.cluster.distributed":                     "true",
		"hbase.zookeeper.property.clientPort":           strconv.Itoa(p.zooKeeper),
		"hbase.zookeeper.property.dataDir":              filepath.Join(dir, "zookeeper"),
		"hbase.zookeeper.property.tickTime":             "500",
		"zookeeper.session.timeout":                     strconv.FormatInt(session.Milliseconds(), 10),
		"hbase.master.port":                             strconv.Itoa(p.master),
		"hbase.master.wait.on.regionservers.mintostart": strconv.Itoa(len(p.regionServers)),
		"hbase.master.wait.on.regionservers.maxtostart": strconv.Itoa(len(p.regionServers)),
		"hbase.regionserver.handler.count":              "20",
		"hbase.lease.recovery.dfs.timeout":              "5000",
		"hbase.lease.recovery.first.pause":              "500",
		"hbase.lease.recovery.pause":                    "500",
		// A paused region server holds the master's own writes to hbase:meta, and
		// with them the recovery of all regions, for as long as a call may take.
		"hbase.rpc.timeout":                "5000",
		"hbase.rpc.shortoperation.timeout": "3000",
		// How often a server that starts asks for the master.
		"hbase.regionserver.msginterval":               "1000",
		"hbase.quota.enabled":                          "true",
		"hbase.quota.refresh.period":                   "1000",
		"hbase.splitlog.manager.timeoutmonitor.period": "1000",
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
		// The blocks of a dead region server's log are closed at a heartbeat.
		"dfs.heartbeat.interval":  "1",
		"dfs.permissions.enabled": "false",
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
