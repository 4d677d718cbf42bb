import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Timestamp;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.PhoenixRuntime;

/**
 * Writes phoenix.txt: the row keys that Phoenix itself makes of upserts, on a connection without a server. Each line
 * has the parts, the values and the key; a part is a type, DESC after it if it is one. To write it again, put
 * org.apache.phoenix:phoenix-core-client:5.2.1, phoenix-hbase-compat-2.6.0:5.2.1, org.apache.hbase:hbase-server:2.6.4
 * and their dependencies on the classpath and run java -cp CLASSPATH PhoenixGoldens.java > phoenix.txt
 */
public class PhoenixGoldens {
  static Connection phoenix;
  static int tables;

  /** One row: parts as in "VARCHAR, CHAR(4) DESC", values as text, "null" for null. */
  static void row(String parts, String... values) throws Exception {
    String[] types = parts.split(", ");
    StringBuilder columns = new StringBuilder();
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < types.length; i++) {
      String type = types[i].replace(" DESC", "");
      boolean mayBeNull = type.equals("VARCHAR") || type.equals("DECIMAL");
      columns.append("P" + i + " " + type + (mayBeNull ? ", " : " NOT NULL, "));
      key.append((i > 0 ? ", " : "") + "P" + i + (types[i].endsWith(" DESC") ? " DESC" : ""));
    }
    String table = "T" + tables++;
    phoenix.createStatement().execute("CREATE TABLE " + table + " (" + columns + "V INTEGER CONSTRAINT K PRIMARY KEY (" + key + "))");
    PreparedStatement upsert = phoenix.prepareStatement("UPSERT INTO " + table + " VALUES (" + "?, ".repeat(types.length) + "1)");
    for (int i = 0; i < types.length; i++) {
      upsert.setObject(i + 1, value(types[i].replace(" DESC", ""), values[i]));
    }
    upsert.execute();
    byte[] row = CellUtil.cloneRow(PhoenixRuntime.getUncommittedDataIterator(phoenix).next().getSecond().get(0));
    System.out.println(parts + "\t" + String.join(", ", values) + "\t" + Bytes.toHex(row));
    phoenix.rollback();
  }

  static Object value(String type, String text) {
    switch (type) {
      case "TINYINT": case "UNSIGNED_TINYINT": return Byte.valueOf(text);
      case "SMALLINT": case "UNSIGNED_SMALLINT": return Short.valueOf(text);
      case "INTEGER": case "UNSIGNED_INT": return Integer.valueOf(text);
      case "BIGINT": case "UNSIGNED_LONG": return Long.valueOf(text);
      case "FLOAT": return Float.valueOf(text);
      case "DOUBLE": return Double.valueOf(text);
      case "DECIMAL": return text.equals("null") ? null : new BigDecimal(text);
      case "BOOLEAN": return Boolean.valueOf(text);
      case "DATE": return new java.sql.Date(Long.parseLong(text));
      case "TIME": return new java.sql.Time(Long.parseLong(text));
      case "TIMESTAMP": return timestamp(new BigDecimal(text));
      default: return text.equals("null") ? null : text;
    }
  }

  static Timestamp timestamp(BigDecimal millis) {
    BigDecimal nanos = millis.movePointRight(6);
    BigDecimal second = BigDecimal.valueOf(1_000_000_000);
    long seconds = nanos.divide(second, 0, java.math.RoundingMode.FLOOR).longValueExact();
    Timestamp out = new Timestamp(seconds * 1000);
    out.setNanos(nanos.subtract(BigDecimal.valueOf(seconds).multiply(second)).intValueExact());
    return out;
  }

  static void both(String type, String... values) throws Exception {
    for (String value : values) {
      row(type, value);
      row(type + " DESC", value);
    }
  }

  public static void main(String[] args) throws Exception {
    phoenix = DriverManager.getConnection("jdbc:phoenix:none");
    both("TINYINT", "0", "1", "-1", "127", "-128");
    both("SMALLINT", "0", "1", "-1", "258", "32767", "-32768");
    both("INTEGER", "0", "1", "-1", "65536", "2147483647", "-2147483648");
    both("BIGINT", "0", "1", "-1", "1700000000001", "9223372036854775807", "-9223372036854775808");
    both("UNSIGNED_TINYINT", "0", "1", "127");
    both("UNSIGNED_SMALLINT", "0", "258", "32767");
    both("UNSIGNED_INT", "0", "65536", "2147483647");
    both("UNSIGNED_LONG", "0", "1700000000001", "9223372036854775807");
    both("FLOAT", "0", "1", "-1", "12.5", "0.1", "1e-40", "-1e-40", "3.4028235e38", "-3.4028235e38");
    both("DOUBLE", "0", "1", "-1", "12.5", "0.1", "4.9e-324", "-4.9e-324", "1.7976931348623157e308");
    both("DECIMAL", "0", "1", "-1", "1.00", "10", "99", "99.5", "100", "0.1", "0.01", "0.001", "-0.001", "12.5", "-12.5",
        "1e20", "1e21", "1e122", "1e123", "-1e123", "1e-100", "1e-129", "1e-130", "-1e-130",
        "12345678901234567890123456789012345678", "-12345678901234567890123456789012345678",
        "1234567890123456789012345678901234567.8", "-1234567890123456789012345678901234567.8");
    both("BOOLEAN", "true", "false");
    both("DATE", "0", "1700000000001", "-1");
    both("TIME", "0", "1700000000001");
    both("TIMESTAMP", "0", "1700000000001", "1700000000001.000002", "1700000000999.999999", "-1", "-0.5", "-1000.000001");
    both("CHAR(4)", "a", "ab c", "abcd");
    both("VARCHAR", "a", "größe", "a longer one");
    String[][] names = {{"a", "b"}, {"ab", "null"}, {"null", "b"}};
    for (String[] pair : names) {
      for (String first : new String[] {"VARCHAR", "VARCHAR DESC"}) {
        for (String second : new String[] {"VARCHAR", "VARCHAR DESC"}) {
          row(first + ", " + second, pair);
        }
      }
    }
    for (String last : new String[] {"c", "null"}) {
      row("VARCHAR, VARCHAR, VARCHAR", "a", "null", last);
      row("VARCHAR, VARCHAR DESC, VARCHAR", "a", "null", last);
      row("VARCHAR DESC, VARCHAR, VARCHAR DESC", "a", "null", last);
      row("VARCHAR, DECIMAL, VARCHAR", "a", "-1.5", last);
      row("VARCHAR, DECIMAL DESC, VARCHAR DESC", "a", "-1.5", last);
    }
    for (String amount : new String[] {"12.5", "null"}) {
      row("VARCHAR, DECIMAL, INTEGER", "ab", amount, "7");
      row("VARCHAR, DECIMAL DESC, INTEGER DESC", "ab", amount, "7");
      row("INTEGER, DECIMAL", "0", amount);
      row("INTEGER, DECIMAL DESC", "0", amount);
    }
    row("CHAR(4), VARCHAR, BIGINT DESC", "ab", "c", "1700000000001");
    row("CHAR(4) DESC, VARCHAR DESC, TIMESTAMP DESC", "ab", "c", "1700000000001.000002");
  }
}
