import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What tests ask of HBase through its own client, so that the code under test
 * is never its own judge.
 *
 * <p>java HBaseTool.java ZOOKEEPER COMMAND ARG... runs one command.
 * java HBaseTool.java ZOOKEEPER reads commands from standard input, one a line:
 * command and arguments percent-encoded, separated by spaces. Each answer is
 * lines that begin with "=", then one line "." or, on failure, "!" and the
 * percent-encoded reason.
 *
 * <p>Row keys, qualifiers and values are in hex everywhere.
 */
public class HBaseTool {
  private static final long WAIT_MS = 90_000;
  private final Connection connection;
  private final Admin admin;
  private final PrintWriter out;

  private HBaseTool(Connection connection, PrintWriter out) throws Exception {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    PrintWriter out = new PrintWriter(new BufferedWriter(
        new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 16));
    Configuration conf = HBaseConfiguration.create();
    String[] zk = args[0].split(",")[0].split(":");
    StringBuilder hosts = new StringBuilder();
    for (String a : args[0].split(",")) {
      hosts.append(hosts.length() > 0 ? "," : "").append(a.split(":")[0]);
    }
    conf.set("hbase.zookeeper.quorum", hosts.toString());
    conf.set("hbase.zookeeper.property.clientPort", zk[1]);
    conf.setInt("hbase.client.retries.number", 12);
    conf.setInt("hbase.client.operation.timeout", 80_000);
    conf.setInt("hbase.client.meta.operation.timeout", 80_000);
    // A server that is stopped holds a call for as long as this.
    conf.setInt("hbase.rpc.timeout", 5_000);
    conf.setInt("hbase.client.scanner.timeout.period", 20_000);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      HBaseTool tool = new HBaseTool(connection, out);
      if (args.length > 1) {
        tool.run(Arrays.copyOfRange(args, 1, args.length));
        out.flush();
        return;
      }
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      out.println(".");
      out.flush();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        tool.answer(line);
      }
    }
  }

  private void answer(String line) {
    try {
      String[] words = line.split(" ");
      for (int i = 0; i < words.length; i++) {
        words[i] = URLDecoder.decode(words[i], StandardCharsets.UTF_8);
      }
      run(words);
      out.println(".");
    } catch (Exception e) {
      out.println("!" + URLEncoder.encode(e.toString(), StandardCharsets.UTF_8));
    }
    out.flush();
  }

  private void say(Object... words) {
    StringBuilder b = new StringBuilder("=");
    for (int i = 0; i < words.length; i++) {
      b.append(i > 0 ? " " : "").append(words[i]);
    }
    out.println(b);
  }

  private void run(String[] a) throws Exception {
    switch (a[0]) {
      case "dump" -> dump(a[1], false);
      case "dumpraw" -> dump(a[1], true);
      case "seen" -> seen(a);
      case "labels" -> labels(Arrays.copyOfRange(a, 1, a.length));
      case "get" -> get(a);
      case "count" -> count(a[1]);
      case "put" -> put(a[1], a[2], a[3], a[4], a[5], a[6]);
      case "deleteall" -> deleteAll(a[1], a[2], a.length > 3 ? a[3] : "-");
      case "create" -> create(a);
      case "enable" -> admin.enableTable(TableName.valueOf(a[1]));
      case "disable" -> admin.disableTable(TableName.valueOf(a[1]));
      case "isenabled" -> say(admin.isTableEnabled(TableName.valueOf(a[1])));
      case "delete" -> drop(TableName.valueOf(a[1]));
      case "truncate" -> truncate(TableName.valueOf(a[1]));
      case "exists" -> say(admin.tableExists(TableName.valueOf(a[1])));
      case "namespace" -> admin.createNamespace(NamespaceDescriptor.create(a[1]).build());
      case "describe" -> describe(TableName.valueOf(a[1]));
      case "alter" -> alterFamily(a);
      case "addfamily" -> admin.addColumnFamily(TableName.valueOf(a[1]), family(a[2]));
      case "deletefamily" -> admin.deleteColumnFamily(TableName.valueOf(a[1]), Bytes.toBytes(a[2]));
      case "altertable" -> alterTable(a);
      case "snapshot" -> admin.snapshot(a[2], TableName.valueOf(a[1]));
      case "restore" -> admin.restoreSnapshot(a[1]);
      case "clone" -> admin.cloneSnapshot(a[1], TableName.valueOf(a[2]));
      case "deletesnapshot" -> admin.deleteSnapshot(a[1]);
      case "flush" -> admin.flush(TableName.valueOf(a[1]));
      case "compact" -> compact(TableName.valueOf(a[1]));
      case "throttle" -> admin.setQuota(QuotaSettingsFactory.throttleTable(
          TableName.valueOf(a[1]), ThrottleType.WRITE_NUMBER, Long.parseLong(a[2]), TimeUnit.SECONDS));
      case "unthrottle" -> admin.setQuota(QuotaSettingsFactory.unthrottleTable(TableName.valueOf(a[1])));
      case "majorcompact" -> majorCompact(TableName.valueOf(a[1]));
      case "regions" -> regions(TableName.valueOf(a[1]));
      case "servers" -> servers();
      case "move" -> move(a[1], a.length > 2 ? a[2] : "");
      case "reopen" -> reopen(a[1]);
      case "split" -> split(TableName.valueOf(a[1]), Bytes.fromHex(a[2]));
      case "merge" -> admin.mergeRegionsAsync(
          new byte[][] {Bytes.toBytes(a[1]), Bytes.toBytes(a[2])}, true).get();
      case "balancer" -> say(admin.balancerSwitch(a[1].equals("on"), true));
      default -> throw new IllegalArgumentException("unknown command " + a[0]);
    }
  }

  private void dump(String table, boolean raw) throws Exception {
    dump(connection, table, new Scan().readAllVersions().setCaching(500).setRaw(raw));
  }

  /** seen TABLE LABEL...: what the user "reader" sees with these labels. The user of the server itself sees all. */
  private void seen(String[] a) throws Exception {
    List<String> labels = Arrays.asList(a).subList(2, a.length);
    User reader = User.create(UserGroupInformation.createRemoteUser("reader"));
    try (Connection c = ConnectionFactory.createConnection(connection.getConfiguration(), reader)) {
      dump(c, a[1], new Scan().readAllVersions().setAuthorizations(new Authorizations(labels)));
    }
  }

  /** labels LABEL...: makes labels, and lets the user "reader" read by them. */
  private void labels(String[] labels) throws Exception {
    try {
      VisibilityClient.addLabels(connection, labels);
      VisibilityClient.setAuths(connection, labels, "reader");
    } catch (Throwable t) { // as it is declared
      throw new Exception(t);
    }
  }

  private void dump(Connection c, String table, Scan scan) throws Exception {
    try (Table t = c.getTable(TableName.valueOf(table)); ResultScanner rows = t.getScanner(scan)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          // An empty field would vanish in a line split at spaces: "-" stands for it.
          say(hex(CellUtil.cloneRow(cell)), Bytes.toString(CellUtil.cloneFamily(cell)), hex(CellUtil.cloneQualifier(cell)),
              cell.getTimestamp(), cell.getType(), hex(CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  /** get TABLE ROW...: each row by one Get of its own, all versions. */
  private void get(String[] a) throws Exception {
    try (Table t = connection.getTable(TableName.valueOf(a[1]))) {
      for (int i = 2; i < a.length; i++) {
        Result row = t.get(new Get(unhex(a[i])).readAllVersions());
        for (Cell c : row.isEmpty() ? new Cell[0] : row.rawCells()) {
          say(hex(CellUtil.cloneRow(c)), Bytes.toString(CellUtil.cloneFamily(c)), hex(CellUtil.cloneQualifier(c)),
              c.getTimestamp(), c.getType(), hex(CellUtil.cloneValue(c)));
        }
      }
    }
  }

  private static String hex(byte[] b) {
    return b.length == 0 ? "-" : Bytes.toHex(b);
  }

  private static byte[] unhex(String s) {
    return s.equals("-") ? new byte[0] : Bytes.fromHex(s);
  }

  private void count(String table) throws Exception {
    long rows = 0;
    long cells = 0;
    Scan scan = new Scan().readAllVersions().setCaching(500);
    try (Table t = connection.getTable(TableName.valueOf(table)); ResultScanner found = t.getScanner(scan)) {
      for (Result row : found) {
        rows++;
        cells += row.size();
      }
    }
    say(rows, cells);
  }

  private void put(String table, String row, String family, String qualifier, String ts, String value) throws Exception {
    Put p = new Put(unhex(row));
    if (ts.equals("-")) {
      p.addColumn(Bytes.toBytes(family), unhex(qualifier), unhex(value));
    } else {
      p.addColumn(Bytes.toBytes(family), unhex(qualifier), Long.parseLong(ts), unhex(value));
    }
    try (Table t = connection.getTable(TableName.valueOf(table))) {
      t.put(p);
    }
  }

  private void deleteAll(String table, String row, String ts) throws Exception {
    try (Table t = connection.getTable(TableName.valueOf(table))) {
      t.delete(ts.equals("-") ? new Delete(unhex(row)) : new Delete(unhex(row), Long.parseLong(ts)));
    }
  }

  /** create TABLE, then family:NAME[,KEY=VALUE...], split:HEX, coprocessor:CLASS, attr:KEY=VALUE. */
  private void create(String[] a) throws Exception {
    TableDescriptorBuilder b = TableDescriptorBuilder.newBuilder(TableName.valueOf(a[1]));
    List<byte[]> splits = new ArrayList<>();
    for (int i = 2; i < a.length; i++) {
      String[] part = a[i].split(":", 2);
      switch (part[0]) {
        case "family" -> b.setColumnFamily(family(part[1]));
        case "split" -> splits.add(Bytes.fromHex(part[1]));
        case "coprocessor" -> b.setCoprocessor(part[1]);
        case "attr" -> b.setValue(part[1].split("=", 2)[0], part[1].split("=", 2)[1]);
        default -> throw new IllegalArgumentException("unknown part " + a[i]);
      }
    }
    admin.createTable(b.build(), splits.isEmpty() ? null : splits.toArray(new byte[0][]));
  }

  private static ColumnFamilyDescriptor family(String text) {
    String[] parts = text.split(",");
    ColumnFamilyDescriptorBuilder b = ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      b.setValue(parts[i].split("=", 2)[0], parts[i].split("=", 2)[1]);
    }
    return b.build();
  }

  private void drop(TableName table) throws Exception {
    if (admin.isTableEnabled(table)) {
      admin.disableTable(table);
    }
    admin.deleteTable(table);
  }

  private void truncate(TableName table) throws Exception {
    if (admin.isTableEnabled(table)) {
      admin.disableTable(table);
    }
    admin.truncateTable(table, true);
  }

  private void describe(TableName table) throws Exception {
    var d = admin.getDescriptor(table);
    d.getValues().forEach((k, v) -> say("table", enc(k.toString()), enc(v.toString())));
    for (ColumnFamilyDescriptor f : d.getColumnFamilies()) {
      f.getValues().forEach((k, v) -> say(enc("family:" + f.getNameAsString()), enc(k.toString()), enc(v.toString())));
    }
  }

  private static String enc(String s) {
    String e = URLEncoder.encode(s, StandardCharsets.UTF_8);
    return e.isEmpty() ? "-" : e;
  }

  /** alter TABLE FAMILY KEY=VALUE... */
  private void alterFamily(String[] a) throws Exception {
    TableName table = TableName.valueOf(a[1]);
    ColumnFamilyDescriptor old = admin.getDescriptor(table).getColumnFamily(Bytes.toBytes(a[2]));
    ColumnFamilyDescriptorBuilder b = ColumnFamilyDescriptorBuilder.newBuilder(old);
    for (int i = 3; i < a.length; i++) {
      b.setValue(a[i].split("=", 2)[0], a[i].split("=", 2)[1]);
    }
    admin.modifyColumnFamily(table, b.build());
  }

  /** altertable TABLE KEY=VALUE... */
  private void alterTable(String[] a) throws Exception {
    TableDescriptorBuilder b = TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(a[1])));
    for (int i = 2; i < a.length; i++) {
      b.setValue(a[i].split("=", 2)[0], a[i].split("=", 2)[1]);
    }
    admin.modifyTable(b.build());
  }

  /** Asks each region's server itself, so that an old report is not taken for the end. */
  private Map<String, Long> lastMajor(TableName table) throws Exception {
    Map<String, Long> m = new HashMap<>();
    for (ServerName s : admin.getRegionServers()) {
      for (RegionMetrics r : admin.getRegionMetrics(s, table)) {
        // A region without files has nothing to compact.
        m.put(r.getNameAsString(), r.getStoreFileCount() == 0 ? -1 : r.getLastMajorCompactionTimestamp());
      }
    }
    return m;
  }

  private void majorCompact(TableName table) throws Exception {
    Map<String, Long> before = lastMajor(table);
    admin.majorCompact(table);
    long deadline = System.currentTimeMillis() + WAIT_MS;
    while (true) {
      boolean done = admin.getCompactionState(table) == CompactionState.NONE;
      for (Map.Entry<String, Long> e : lastMajor(table).entrySet()) {
        done &= e.getValue() == -1 || !e.getValue().equals(before.get(e.getKey()));
      }
      if (done) {
        return;
      }
      check(deadline, "the major compaction of " + table);
    }
  }

  private void compact(TableName table) throws Exception {
    admin.compact(table);
    long deadline = System.currentTimeMillis() + WAIT_MS;
    while (admin.getCompactionState(table) != CompactionState.NONE) {
      check(deadline, "the compaction of " + table);
    }
  }

  private static void check(long deadline, String what) throws Exception {
    if (System.currentTimeMillis() > deadline) {
      throw new java.util.concurrent.TimeoutException("waiting for " + what);
    }
    Thread.sleep(100);
  }

  private void regions(TableName table) throws Exception {
    for (HRegionLocation l : connection.getRegionLocator(table).getAllRegionLocations()) {
      RegionInfo r = l.getRegion();
      say(r.getEncodedName(), hex(r.getStartKey()), hex(r.getEndKey()), l.getHostnamePort());
    }
  }

  private void servers() throws Exception {
    say("master", admin.getMaster().getAddress());
    for (ServerName s : admin.getRegionServers()) {
      say("regionserver", s.getAddress());
    }
  }

  /** The region is opened by hand-over: in one-server clusters to the same server. */
  private void reopen(String encoded) throws Exception {
    RegionInfo r = regionOf(encoded);
    admin.unassign(r.getRegionName(), true);
    admin.assign(r.getRegionName());
    awaitOpen(r, null);
  }

  private void move(String encoded, String address) throws Exception {
    RegionInfo r = regionOf(encoded);
    if (address.isEmpty()) {
      admin.move(Bytes.toBytes(encoded));
      awaitOpen(r, null);
      return;
    }
    for (ServerName s : admin.getRegionServers()) {
      if (s.getAddress().toString().equals(address)) {
        admin.move(Bytes.toBytes(encoded), s);
        awaitOpen(r, address);
        return;
      }
    }
    throw new IllegalArgumentException("no live region server at " + address);
  }

  private RegionInfo regionOf(String encoded) throws Exception {
    if (encoded.equals(RegionInfoBuilder.FIRST_META_REGIONINFO.getEncodedName())) {
      return RegionInfoBuilder.FIRST_META_REGIONINFO;
    }
    for (TableName t : admin.listTableNames((java.util.regex.Pattern) null, true)) {
      for (RegionInfo r : admin.getRegions(t)) {
        if (r.getEncodedName().equals(encoded)) {
          return r;
        }
      }
    }
    throw new IllegalArgumentException("no region " + encoded);
  }

  private void awaitOpen(RegionInfo r, String address) throws Exception {
    long deadline = System.currentTimeMillis() + WAIT_MS;
    while (true) {
      for (ServerName s : admin.getRegionServers()) {
        if ((address == null || s.getAddress().toString().equals(address)) && admin.getRegions(s).contains(r)) {
          return;
        }
      }
      check(deadline, "region " + r.getEncodedName() + " to open");
    }
  }

  private void split(TableName table, byte[] at) throws Exception {
    HRegionLocation l = connection.getRegionLocator(table).getRegionLocation(at, true);
    int before = admin.getRegions(table).size();
    admin.splitRegionAsync(l.getRegion().getRegionName(), at).get();
    long deadline = System.currentTimeMillis() + WAIT_MS;
    while (admin.getRegions(table).size() <= before) {
      check(deadline, "the split of " + table);
    }
    for (RegionInfo r : admin.getRegions(table)) {
      awaitOpen(r, null);
    }
  }
}
