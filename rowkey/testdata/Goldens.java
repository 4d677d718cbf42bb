import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.MurmurHash3;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * Writes goldens.txt: what HBase's own Bytes and the JDK make of some values. To write it again, put
 * org.apache.hbase:hbase-common:2.6.4 and its dependencies on the classpath and run
 * java -cp CLASSPATH Goldens.java > goldens.txt
 */
public class Goldens {
  static void line(String what, Object in, byte[] out) {
    System.out.println(what + "\t" + in + "\t" + Bytes.toHex(out));
  }

  static byte[] numeric(String x, Order order) {
    SimplePositionedMutableByteRange out = new SimplePositionedMutableByteRange(64);
    int n = OrderedBytes.encodeNumeric(out, new BigDecimal(x), order);
    return java.util.Arrays.copyOf(out.getBytes(), n);
  }

  public static void main(String[] args) throws Exception {
    long[] longs = {0, 1, -1, 255, 256, -256, 1700000000001L, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE};
    for (long x : longs) {
      line("bytes_int64", x, Bytes.toBytes(x));
      line("reversed", x, Bytes.toBytes(Long.MAX_VALUE - x));
    }
    for (int x : new int[] {0, 1, -1, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      line("bytes_int32", x, Bytes.toBytes(x));
    }
    for (short x : new short[] {0, 1, -1, 258, Short.MAX_VALUE, Short.MIN_VALUE}) {
      line("bytes_int16", x, Bytes.toBytes(x));
    }
    for (byte x : new byte[] {0, 1, -1, Byte.MAX_VALUE, Byte.MIN_VALUE}) {
      byte[] out = new byte[1];
      Bytes.putByte(out, 0, x);
      line("bytes_int8", x, out);
    }
    for (double x : new double[] {0, 1, -1, 12.5, 0.1, 1e300, -4.9e-324, Double.MAX_VALUE}) {
      line("bytes_float64", x, Bytes.toBytes(x));
    }
    for (float x : new float[] {0, 1, -1, 12.5f, 0.1f, 1e-40f, Float.MAX_VALUE}) {
      line("bytes_float32", x, Bytes.toBytes(x));
    }
    line("bytes_bool", true, Bytes.toBytes(true));
    line("bytes_bool", false, Bytes.toBytes(false));
    // OrderedBytes rounds to 31 digits, so none has more.
    for (String x : new String[] {"0", "1", "-1", "1.00", "10", "99", "99.5", "100", "0.1", "0.01", "0.001", "-0.001",
        "12.5", "-12.5", "1e18", "1e19", "1e20", "1e21", "-1e20", "1e479", "1e480", "1e482", "-1e500", "1e4574",
        "1e4576", "1e135646", "1e135648", "1e33554429", "1e33554432", "1e1000000000", "1e-300", "-1e-300", "1e-482",
        "1e-5000", "1e-1000000000", "1234567890123456789012345678901", "-1234567890123456789012345678901",
        "123456789012345678.9012345678901", "0.0001234567890123456789012345678901", "9223372036854775807"}) {
      line("decimal", x, numeric(x, Order.ASCENDING));
      line("decimal reversed", x, numeric(x, Order.DESCENDING));
    }
    for (String x : new String[] {"0", "0.00", "1", "-1", "1.00", "0.050", "100", "127", "128", "-128", "-129", "32767", "32768",
        "1e5", "-1.5e-7", "999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "12345678901234567890123456789012345678.90",
        "-12345678901234567890123456789012345678.90", "18446744073709551616e3"}) {
      line("bytes_decimal", x, Bytes.toBytes(new BigDecimal(x)));
    }
    for (String s : new String[] {"a", "ab", "abc", "abcd", "customer-42", "größe", "0123456789abcdef0"}) {
      byte[] in = s.getBytes(StandardCharsets.UTF_8);
      line("string", s, Bytes.toBytes(s));
      line("md5", s, MessageDigest.getInstance("MD5").digest(in));
      line("sha1", s, MessageDigest.getInstance("SHA-1").digest(in));
      line("sha256", s, MessageDigest.getInstance("SHA-256").digest(in));
      CRC32 crc = new CRC32();
      crc.update(in);
      line("crc32", s, Bytes.toBytes((int) crc.getValue()));
      line("murmur3", s, Bytes.toBytes(MurmurHash3.getInstance().hash(new ByteArrayHashKey(in, 0, in.length), 0)));
    }
  }
}
