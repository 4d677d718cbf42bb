import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.TimeRange;

/**
 * The benchmark's peer in Java: HBase's own client, with its defaults, writing the rows that work/rows.go makes.
 *
 * <p>Each line of standard input is an order, {@code write how=plain|row zookeeper=... table=... rows=... batch=...
 * writers=...}; each is answered by one line, {@code = seconds=... cpu=...} or {@code ! reason}. The JVM stays from
 * order to order, so that its compilers have warmed up when it counts.
 */
public class BenchPeer {
  private static final int COLUMNS = 5;
  private static final long FIRST_TIME = 1_700_000_000_000L;
  private static final byte[] DATA = bytes("d");
  private static final byte[] MARKS = bytes("_k");
  private static final byte[] SOURCE = bytes("bench/topic/0");
  private static final byte[][] QUALIFIERS = {bytes("c0"), bytes("c1"), bytes("c2"), bytes("c3"), bytes("c4")};
  private static Connection connection;
  private static String connected;

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = obey(line);
      } catch (Exception e) {
        answer = "! " + e.toString().replace('\n', ' ');
      }
      System.out.println(answer);
      System.out.flush();
    }
    if (connection != null) {
      connection.close();
    }
    System.exit(0);
  }

  private static String obey(String line) throws Exception {
    String[] parts = line.split(" ");
    Map<String, String> args = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      String[] kv = parts[i].split("=", 2);
      args.put(kv[0], kv[1]);
    }
    if (!parts[0].equals("write")) {
      throw new IllegalArgumentException("no order: " + parts[0]);
    }
    connect(args.get("zookeeper"));
    TableName table = TableName.valueOf(args.get("table"));
    int rows = Integer.parseInt(args.get("rows"));
    int batch = Integer.parseInt(args.get("batch"));
    int writers = Integer.parseInt(args.get("writers"));
    boolean plain = args.get("how").equals("plain");
    if (!plain && !args.get("how").equals("row")) {
      throw new IllegalArgumentException("no way to write: " + args.get("how"));
    }
    System.gc();
    OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = os.getProcessCpuTime();
    long start = System.nanoTime();
    AtomicLong next = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    List<Future<?>> all = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      all.add(pool.submit(() -> {
        if (plain) {
          putAll(table, rows, batch, next);
        } else {
          checkAll(table, rows, batch, next);
        }
        return null;
      }));
    }
    try {
      for (Future<?> f : all) {
        f.get();
      }
    } finally {
      pool.shutdownNow();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return "= seconds=" + seconds + " cpu=" + (os.getProcessCpuTime() - cpu) / 1e9;
  }

  private static void connect(String zookeeper) throws Exception {
    if (zookeeper.equals(connected)) {
      return;
    }
    if (connection != null) {
      connection.close();
    }
    String[] hostPort = zookeeper.split(",")[0].split(":");
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", hostPort[0]);
    conf.set("hbase.zookeeper.property.clientPort", hostPort[1]);
    connection = ConnectionFactory.createConnection(conf);
    connected = zookeeper;
  }

  /** Plain puts, at least once: a mutator for each thread, which cuts and sends as its defaults say. */
  private static void putAll(TableName table, int rows, int batch, AtomicLong next) throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
      for (long from = next.getAndAdd(batch); from < rows; from = next.getAndAdd(batch)) {
        for (long i = from; i < Math.min(from + batch, rows); i++) {
          mutator.mutate(put(i));
        }
      }
      mutator.flush();
    }
  }

  /** Each row with its mark, under the condition that no mark stands at or past its own. */
  private static void checkAll(TableName table, int rows, int batch, AtomicLong next) throws Exception {
    try (Table t = connection.getTable(table)) {
      for (long from = next.getAndAdd(batch); from < rows; from = next.getAndAdd(batch)) {
        List<CheckAndMutate> all = new ArrayList<>(batch);
        for (long i = from; i < Math.min(from + batch, rows); i++) {
          Put put = put(i);
          put.addColumn(MARKS, SOURCE, i + 1, mark(i + 1, FIRST_TIME + i));
          all.add(CheckAndMutate.newBuilder(put.getRow())
              .ifNotExists(MARKS, SOURCE)
              .timeRange(TimeRange.from(i + 1))
              .build(put));
        }
        for (CheckAndMutateResult r : t.checkAndMutate(all)) {
          if (!r.isSuccess()) {
            throw new IllegalStateException("a row of the batch from " + from + " on was refused");
          }
        }
      }
    }
  }

  private static Put put(long i) {
    Put p = new Put(key(i));
    for (int q = 0; q < COLUMNS; q++) {
      p.addColumn(DATA, QUALIFIERS[q], FIRST_TIME + i, value(i, q));
    }
    return p;
  }

  private static byte[] key(long i) {
    int spread = (int) (i * 2654435761L);
    byte[] k = new byte[19];
    for (int d = 0; d < 8; d++) {
      k[d] = (byte) "0123456789abcdef".charAt(spread >>> (28 - 4 * d) & 15);
    }
    k[8] = '-';
    decimals(k, 9, 19, i);
    return k;
  }

  private static byte[] value(long i, int column) {
    byte[] v = bytes("0123456789-c-abcdefghijklmnopq");
    decimals(v, 0, 10, i);
    v[11] = (byte) ('0' + column);
    return v;
  }

  private static void decimals(byte[] b, int from, int to, long i) {
    for (int d = to - 1; d >= from; d--) {
      b[d] = (byte) ('0' + i % 10);
      i /= 10;
    }
  }

  /** The mark's value as the README lays it out. */
  private static byte[] mark(long next, long floor) {
    return ByteBuffer.allocate(21).put((byte) 1).putLong(next).putLong(floor).putInt(0).array();
  }

  private static byte[] bytes(String s) {
    return s.getBytes(StandardCharsets.US_ASCII);
  }
}
