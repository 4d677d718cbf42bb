import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Runs a server of HBase with a clock that goes wrong by what stands in a file.
 *
 * <p>java SkewedClock.java FILE CLASS ARG... The file holds milliseconds, and is
 * read ten times a second; without it the clock is right. Only the time that
 * HBase gives to cells and looks at for its own ends is wrong, not Java's.
 */
public class SkewedClock {
  private static volatile long skew;

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    Thread watch = new Thread(() -> {
      while (true) {
        try {
          skew = Files.exists(file) ? Long.parseLong(Files.readString(file).trim()) : 0;
          Thread.sleep(100);
        } catch (InterruptedException e) {
          return;
        } catch (Exception e) {
          System.err.println("reading the skew of the clock: " + e);
        }
      }
    });
    watch.setDaemon(true);
    watch.start();
    EnvironmentEdgeManager.injectEdge(() -> System.currentTimeMillis() + skew);
    Class.forName(args[1]).getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
  }
}
