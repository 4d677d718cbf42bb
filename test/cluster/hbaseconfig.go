package cluster

import (
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const log4j1 = `log4j.rootLogger=INFO,out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.target=System.err
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
log4j.logger.org.apache.zookeeper=WARN
log4j.logger.org.apache.zookeeper.server.NIOServerCnxnFactory=INFO
log4j.logger.org.apache.hadoop.metrics2=ERROR
`

// java17Flags open what HBase and Hadoop reach for inside the JDK.
var java17Flags = func() []string {
	var f []string
	for _, p := range []string{
		"java.lang", "java.nio", "sun.nio.ch", "jdk.internal.ref", "jdk.internal.misc",
		"java.lang.reflect", "java.util", "java.util.concurrent",
	} {
		f = append(f, "--add-opens=java.base/"+p+"=ALL-UNNAMED")
	}
	return append(f, "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
}()

// commonSite holds what every HBase process here is told: listen on the
// loopback only, use no web server, keep temporary files in the work folder.
func commonSite(dir string) map[string]string {
	return map[string]string{
		"hbase.zookeeper.quorum":                      "127.0.0.1",
		"hbase.zookeeper.property.clientPortAddress":  "127.0.0.1",
		"hbase.master.info.port":                      "-1",
		"hbase.regionserver.info.port":                "-1",
		"hbase.master.hostname":                       "127.0.0.1",
		"hbase.unsafe.regionserver.hostname":          "127.0.0.1",
		"hbase.master.ipc.address":                    "127.0.0.1",
		"hbase.regionserver.ipc.address":              "127.0.0.1",
		"hbase.tmp.dir":                               filepath.Join(dir, "tmp"),
		"hadoop.tmp.dir":                              filepath.Join(dir, "tmp"),
		"hbase.table.sanity.checks":                   "true",
		"hbase.master.wait.on.regionservers.interval": "100",
		"hbase.balancer.period":                       "86400000",
	}
}

// writeHBaseConfig writes hbase-site.xml and the logging set-up into dir.
func writeHBaseConfig(dir string, site map[string]string) error {
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o755); err != nil {
		return fmt.Errorf("configuring HBase: %w", err)
	}
	if err := writeSite(filepath.Join(dir, "hbase-site.xml"), site); err != nil {
		return fmt.Errorf("configuring HBase: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "log4j.properties"), []byte(log4j1), 0o644); err != nil {
		return fmt.Errorf("configuring HBase: %w", err)
	}
	return nil
}

// writeSite writes a Hadoop configuration file.
func writeSite(path string, site map[string]string) error {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<configuration>\n")
	for _, k := range slices.Sorted(maps.Keys(site)) {
		b.WriteString("  <property><name>")
		_ = xml.EscapeText(&b, []byte(k)) // a Builder does not fail
		b.WriteString("</name><value>")
		_ = xml.EscapeText(&b, []byte(site[k]))
		b.WriteString("</value></property>\n")
	}
	b.WriteString("</configuration>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
