import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.json.JsonConverter;

/**
 * Writes what Kafka Connect's own JsonConverter makes of values, and what those are as JSON of rowmark's: decimals as
 * plain numbers, bytes in base64. Run with the jars of connect-json 4.1.1 and what it needs on the class path.
 */
public class ConnectGoldens {
    static final JsonConverter converter = new JsonConverter();

    public static void main(String[] args) {
        converter.configure(Map.of("schemas.enable", "true"), false);
        for (String n : List.of("0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "9223372036854775807", "-9223372036854775808",
                "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "-99999999999999999999999999999999999999")) {
            for (int scale : new int[] {0, 1, 2, 10, 38, -1, -3}) {
                print("decimal", Decimal.schema(scale), new BigDecimal(new BigInteger(n), scale));
            }
            print("variable", variable(), variable(new BigDecimal(new BigInteger(n), 3)));
        }
        print("bytes", Schema.BYTES_SCHEMA, new byte[] {0, 1, (byte) 0xff});
        print("no bytes", Schema.BYTES_SCHEMA, new byte[0]);
        print("optional bytes", Schema.OPTIONAL_BYTES_SCHEMA, null);
        print("text", Schema.STRING_SCHEMA, "a \"quoted\" \u00e9");
        print("int8", Schema.INT8_SCHEMA, (byte) -5);
        print("int64", Schema.INT64_SCHEMA, Long.MIN_VALUE);
        print("boolean", Schema.BOOLEAN_SCHEMA, true);
        print("double", Schema.FLOAT64_SCHEMA, 0.1);
        print("date", Date.SCHEMA, new java.util.Date(20000L * 86400000L));
        print("time", Time.SCHEMA, new java.util.Date(86399999L));
        print("timestamp", Timestamp.SCHEMA, new java.util.Date(1700000000001L));
        Schema micro = SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").build();
        print("micro timestamp", micro, 1700000000000001L);
        Schema zoned = SchemaBuilder.string().name("io.debezium.time.ZonedTimestamp").build();
        print("zoned timestamp", zoned, "2026-11-30T12:00:00Z");
        Schema decimals = SchemaBuilder.array(Decimal.schema(2)).build();
        print("decimals", decimals, List.of(new BigDecimal("1.50"), new BigDecimal("-0.05")));
        print("plain array", SchemaBuilder.array(Schema.INT32_SCHEMA).build(), List.of(1, 2, 3));
        Map<String, byte[]> named = new LinkedHashMap<>();
        named.put("a", new byte[] {1});
        named.put("b", new byte[] {2});
        print("map of bytes", SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.BYTES_SCHEMA).build(), named);
        Map<Integer, BigDecimal> numbered = new LinkedHashMap<>();
        numbered.put(7, new BigDecimal("7.7"));
        numbered.put(-8, new BigDecimal("8.8"));
        print("map by number", SchemaBuilder.map(Schema.INT32_SCHEMA, Decimal.schema(1)).build(), numbered);
        print("map of text", SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.STRING_SCHEMA).build(), Map.of("k", "v"));
        Schema inner = SchemaBuilder.struct().optional().name("inner").field("price", Decimal.builder(2).optional().build())
                .field("note", Schema.OPTIONAL_STRING_SCHEMA).field("prices", decimals).field("any", variable()).build();
        Schema outer = SchemaBuilder.struct().name("outer").field("id", Schema.INT32_SCHEMA).field("inner", inner)
                .field("raw", Schema.OPTIONAL_BYTES_SCHEMA).field("at", Timestamp.SCHEMA).build();
        Struct in = new Struct(inner).put("price", new BigDecimal("12.34")).put("note", "n").put("prices", List.of(new BigDecimal("0.01")))
                .put("any", variable(new BigDecimal("1e-5")));
        print("struct", outer, new Struct(outer).put("id", 1).put("inner", in).put("raw", new byte[] {9}).put("at", new java.util.Date(5)));
        print("struct with nulls", outer, new Struct(outer).put("id", 2).put("at", new java.util.Date(6)));
        print("structs", SchemaBuilder.array(inner).build(), List.of(in, in));
        print("null", outer.schema(), null);
        print("no schema", null, Map.of("a", List.of(1, "x")));
    }

    static Schema variable() {
        return SchemaBuilder.struct().optional().name("io.debezium.data.VariableScaleDecimal").version(1)
                .field("scale", Schema.INT32_SCHEMA).field("value", Schema.BYTES_SCHEMA).build();
    }

    static Struct variable(BigDecimal d) {
        return new Struct(variable()).put("scale", d.scale()).put("value", d.unscaledValue().toByteArray());
    }

    static void print(String name, Schema schema, Object value) {
        if (value == null && schema != null && !schema.isOptional()) {
            schema = null; // as a tombstone
        }
        byte[] record = converter.fromConnectData("t", schema, value);
        String text = record == null ? "" : new String(record, StandardCharsets.UTF_8);
        System.out.println(name + "\t" + text + "\t" + (value == null ? "" : ours(schema, value)));
    }

    static String ours(Schema schema, Object v) {
        if (v == null) {
            return "null";
        } else if (v instanceof BigDecimal d) {
            return d.toPlainString();
        } else if (v instanceof byte[] b) {
            return '"' + Base64.getEncoder().encodeToString(b) + '"';
        } else if (v instanceof Struct s && s.schema().name().endsWith("VariableScaleDecimal")) {
            return new BigDecimal(new BigInteger(s.getBytes("value")), s.getInt32("scale")).toPlainString();
        } else if (v instanceof Struct s) {
            StringBuilder out = new StringBuilder();
            for (Field f : s.schema().fields()) {
                out.append(out.length() == 0 ? "" : ",").append('"').append(f.name()).append("\":").append(ours(f.schema(), s.get(f)));
            }
            return "{" + out + "}";
        } else if (v instanceof List<?> l) {
            return "[" + String.join(",", l.stream().map(e -> ours(null, e)).toList()) + "]";
        } else if (v instanceof Map<?, ?> m) {
            boolean names = m.keySet().iterator().next() instanceof String;
            List<String> parts = m.entrySet().stream().map(e -> names
                    ? ours(null, e.getKey()) + ":" + ours(null, e.getValue())
                    : "[" + ours(null, e.getKey()) + "," + ours(null, e.getValue()) + "]").toList();
            return (names ? "{" : "[") + String.join(",", parts) + (names ? "}" : "]");
        } else if (v instanceof java.util.Date d) {
            return String.valueOf("org.apache.kafka.connect.data.Date".equals(schema.name()) ? d.getTime() / 86400000L : d.getTime());
        } else if (v instanceof String s) {
            return '"' + s.replace("\"", "\\\"") + '"';
        }
        return v.toString();
    }
}
