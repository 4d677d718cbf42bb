import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.*;
import org.apache.avro.*;
import org.apache.avro.generic.*;
import org.apache.avro.io.*;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * Writes values with Avro's own Java classes, reads them back with them, and prints for each a line of tabs: name, schema,
 * binary encoding, single-object encoding, and the value as JSON of the forms that doc.go of the package names.
 *
 * java -cp CLASSPATH-OF-org.apache.avro:avro:1.12.2 AvroGolden.java > avro.golden
 */
public class AvroGolden {
  static final GenericData DATA = new GenericData();

  public static void main(String[] args) throws Exception {
    DATA.addLogicalTypeConversion(new Conversions.DecimalConversion());
    scalars();
    logical();
    trees();
  }

  static void scalars() throws Exception {
    emit("null", "\"null\"", (Object) null);
    emit("boolean", "\"boolean\"", true, false);
    emit("int", "\"int\"", 0, -1, 63, 64, -65, Integer.MAX_VALUE, Integer.MIN_VALUE);
    emit("long", "\"long\"", 0L, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE);
    emit("float", "\"float\"", 0.1f, -2.5f, Float.NaN, Float.POSITIVE_INFINITY);
    emit("double", "\"double\"", 0.1, 12.5, -1.0, Double.NEGATIVE_INFINITY);
    emit("bytes", "\"bytes\"", bytes(), bytes(0, 255, 128));
    emit("string", "\"string\"", "", "größer \"a\"\n\u0001", "\uD83D\uDE00");
    String e = "{\"type\":\"enum\",\"name\":\"Size\",\"symbols\":[\"S\",\"M\",\"L\"],\"default\":\"M\"}";
    emit("enum", e, new GenericData.EnumSymbol(parse(e), "S"), new GenericData.EnumSymbol(parse(e), "L"));
    String f = "{\"type\":\"fixed\",\"name\":\"Four\",\"size\":4}";
    emit("fixed", f, new GenericData.Fixed(parse(f), new byte[] {1, 2, (byte) 0xfe, 4}));
  }

  static void logical() throws Exception {
    emit("decimal", "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":60,\"scale\":2}",
        new BigDecimal("0.00"), new BigDecimal("12.50"), new BigDecimal("-0.05"), new BigDecimal("-1.28"), new BigDecimal("92233720368547758.08"),
        new BigDecimal("-92233720368547758.08"), new BigDecimal("1234567890123456789012345678901234567890.99"), new BigDecimal("-1234567890123456789012345678901234567890.99"));
    emit("decimal without scale", "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9}", new BigDecimal("0"), new BigDecimal("-256"), new BigDecimal("123456789"));
    String f = "{\"type\":\"fixed\",\"name\":\"Money\",\"size\":12,\"logicalType\":\"decimal\",\"precision\":20,\"scale\":4}";
    emit("fixed decimal", f, new BigDecimal("1.0000"), new BigDecimal("-1.0000"), new BigDecimal("-0.0001"));
    emit("decimal that is none", "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":2,\"scale\":9}", bytes(1, 2));
    emit("uuid", "{\"type\":\"string\",\"logicalType\":\"uuid\"}", "0f8fad5b-d9cb-469f-a165-70867728950e");
    String u = "{\"type\":\"fixed\",\"name\":\"Id\",\"size\":16,\"logicalType\":\"uuid\"}";
    byte[] id = ByteBuffer.allocate(16).putLong(0x0f8fad5bd9cb469fL).putLong(0xa16570867728950eL).array();
    emit("fixed uuid", u, new GenericData.Fixed(parse(u), id));
    emit("date", "{\"type\":\"int\",\"logicalType\":\"date\"}", 20000, -1);
    emit("time-millis", "{\"type\":\"int\",\"logicalType\":\"time-millis\"}", 86399999);
    emit("time-micros", "{\"type\":\"long\",\"logicalType\":\"time-micros\"}", 86399999999L);
    for (String t : List.of("timestamp-millis", "timestamp-micros", "timestamp-nanos", "local-timestamp-millis", "local-timestamp-micros", "local-timestamp-nanos"))
      emit(t, "{\"type\":\"long\",\"logicalType\":\"" + t + "\"}", 1700000000123L, -1L);
    String d = "{\"type\":\"fixed\",\"name\":\"Span\",\"size\":12,\"logicalType\":\"duration\"}";
    byte[] span = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putInt(14).putInt(3).putInt(-1).array();
    emit("duration", d, new GenericData.Fixed(parse(d), span));
    emit("unknown logical type", "{\"type\":\"string\",\"logicalType\":\"colour\"}", "red");
  }

  static void trees() throws Exception {
    emit("array", "{\"type\":\"array\",\"items\":\"int\"}", List.of(), List.of(1, 2, 3));
    emit("array of arrays", "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"string\"}}", List.of(List.of(), List.of("a", "b")));
    emit("map", "{\"type\":\"map\",\"values\":\"long\"}", Map.of(), new TreeMap<>(Map.of("a", 1L, "b.c", -1L)));
    emit("nullable", "[\"null\",\"string\"]", null, "x");
    emit("union", "[\"int\",\"string\",{\"type\":\"array\",\"items\":\"boolean\"},\"null\"]", 7, "seven", List.of(true), null);
    Schema list = parse("{\"type\":\"record\",\"name\":\"Node\",\"namespace\":\"a.b\",\"fields\":[{\"name\":\"n\",\"type\":\"int\"},{\"name\":\"next\",\"type\":[\"null\",\"Node\"],\"default\":null}]}");
    emit("recursion", list.toString(), node(list, 1, node(list, 2, null)));
    order();
  }

  static GenericRecord node(Schema s, int n, GenericRecord next) {
    GenericRecord r = new GenericData.Record(s);
    r.put("n", n);
    r.put("next", next);
    return r;
  }

  static void order() throws Exception {
    Schema s = parse("{\"type\":\"record\",\"name\":\"Order\",\"namespace\":\"shop\",\"doc\":\"An order\",\"fields\":["
        + "{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"status\",\"type\":{\"type\":\"enum\",\"name\":\"Status\",\"symbols\":[\"NEW\",\"PAID\"]}},"
        + "{\"name\":\"before\",\"type\":[\"null\",\"Status\"],\"default\":null},"
        + "{\"name\":\"total\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":12,\"scale\":2}},"
        + "{\"name\":\"created\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}},"
        + "{\"name\":\"lines\",\"type\":{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Line\",\"fields\":["
        + "{\"name\":\"sku\",\"type\":\"string\"},{\"name\":\"count\",\"type\":\"int\"},{\"name\":\"nothing\",\"type\":\"null\"}]}}},"
        + "{\"name\":\"labels\",\"type\":{\"type\":\"map\",\"values\":[\"null\",\"string\"]}},"
        + "{\"name\":\"note\",\"type\":[\"null\",\"string\"],\"default\":null}]}");
    GenericRecord r = new GenericData.Record(s);
    Schema status = s.getField("status").schema(), line = s.getField("lines").schema().getElementType();
    r.put("id", 4711L);
    r.put("status", new GenericData.EnumSymbol(status, "NEW"));
    r.put("before", new GenericData.EnumSymbol(status, "PAID"));
    r.put("total", new BigDecimal("19.90"));
    r.put("created", 1700000000123L);
    GenericRecord l = new GenericData.Record(line);
    l.put("sku", "a-1");
    l.put("count", 3);
    r.put("lines", List.of(l));
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("a", "red");
    labels.put("b", null);
    r.put("labels", labels);
    emit("record", s.toString(), r);
  }

  static Schema parse(String text) { return new Schema.Parser().parse(text); }

  static ByteBuffer bytes(int... b) {
    ByteBuffer out = ByteBuffer.allocate(b.length);
    for (int x : b) out.put((byte) x);
    return out.flip();
  }

  static void emit(String name, String text, Object... values) throws Exception {
    Schema s = parse(text);
    for (Object v : values == null ? new Object[] {null} : values) {
      for (boolean blocks : s.getType() == Schema.Type.ARRAY || s.getType() == Schema.Type.MAP ? new boolean[] {false, true} : new boolean[] {false}) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // A blocking encoder writes the sizes of blocks too.
        BinaryEncoder e = blocks ? EncoderFactory.get().blockingBinaryEncoder(out, null) : EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<>(s, DATA).write(v, e);
        e.flush();
        byte[] data = out.toByteArray();
        Object again = new GenericDatumReader<>(s, s, DATA).read(null, DecoderFactory.get().binaryDecoder(data, null));
        ByteBuffer single = new BinaryMessageEncoder<>(DATA, s).encode(v);
        StringBuilder json = new StringBuilder();
        json(s, again, json);
        System.out.println(String.join("\t", name, s.toString(), hex(data), blocks ? "" : hex(single.array()).substring(0, 2 * single.limit()), json));
      }
    }
  }

  static String hex(byte[] b) { return HexFormat.of().formatHex(b); }

  static void json(Schema s, Object v, StringBuilder out) {
    String logical = s.getLogicalType() == null ? "" : s.getLogicalType().getName();
    switch (s.getType()) {
      case UNION -> json(s.getTypes().get(DATA.resolveUnion(s, v)), v, out);
      case RECORD -> {
        String sep = "{";
        if (s.getFields().isEmpty()) out.append(sep);
        for (Schema.Field f : s.getFields()) {
          text(out.append(sep), f.name());
          json(f.schema(), ((GenericRecord) v).get(f.pos()), out.append(':'));
          sep = ",";
        }
        out.append('}');
      }
      case ARRAY -> {
        String sep = "";
        out.append('[');
        for (Object o : (List<?>) v) {
          json(s.getElementType(), o, out.append(sep));
          sep = ",";
        }
        out.append(']');
      }
      case MAP -> {
        String sep = "";
        out.append('{');
        for (Map.Entry<?, ?> e : ((Map<?, ?>) v).entrySet()) {
          text(out.append(sep), e.getKey().toString());
          json(s.getValueType(), e.getValue(), out.append(':'));
          sep = ",";
        }
        out.append('}');
      }
      case STRING, ENUM -> text(out, v.toString());
      case BYTES -> {
        if (v instanceof BigDecimal d) out.append(d.toPlainString());
        else text(out, Base64.getEncoder().encodeToString(((ByteBuffer) v).array()));
      }
      case FIXED -> {
        if (v instanceof BigDecimal d) { out.append(d.toPlainString()); return; }
        ByteBuffer b = ByteBuffer.wrap(((GenericFixed) v).bytes());
        if (logical.equals("uuid")) text(out, new UUID(b.getLong(), b.getLong()).toString());
        else if (logical.equals("duration")) {
          b.order(ByteOrder.LITTLE_ENDIAN);
          out.append(String.format("{\"months\":%d,\"days\":%d,\"milliseconds\":%d}", b.getInt() & 0xffffffffL, b.getInt() & 0xffffffffL, b.getInt() & 0xffffffffL));
        } else text(out, Base64.getEncoder().encodeToString(b.array()));
      }
      case FLOAT -> number(out, (Float) v, Float.toString((Float) v));
      case DOUBLE -> number(out, (Double) v, Double.toString((Double) v));
      default -> out.append(v);
    }
  }

  static void number(StringBuilder out, double v, String text) {
    if (Double.isNaN(v)) out.append("\"NaN\"");
    else if (Double.isInfinite(v)) out.append(v > 0 ? "\"+Inf\"" : "\"-Inf\"");
    else out.append(text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
  }

  static void text(StringBuilder out, String s) {
    out.append('"');
    for (char c : s.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
