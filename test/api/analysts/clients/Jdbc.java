import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asks the analysts' port as a program with clickhouse-jdbc would; prints its answers, one a line. */
class Jdbc {
  public static void main(String[] args) throws Exception {
    Class.forName("com.clickhouse.jdbc.Driver");
    if (args.length == 0) return;
    String url = "jdbc:clickhouse://" + args[0] + "/air";
    try (Connection connection = DriverManager.getConnection(url)) {
      try (Statement statement = connection.createStatement()) {
        tell("count", strings(statement.executeQuery("SELECT count() FROM flights"), 1));
      }
      try (PreparedStatement statement = connection.prepareStatement("SELECT b FROM flights WHERE a = ?")) {
        statement.setInt(1, 5);
        tell("parameter", strings(statement.executeQuery(), 1));
      }
      try (Statement statement = connection.createStatement()) {
        statement.setMaxRows(10);
        tell("max rows", strings(statement.executeQuery("SELECT number FROM numbers(100000)"), 1).size());
      }
      try (Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(20);
        tell("streamed", strings(statement.executeQuery("SELECT number FROM numbers(200000)"), 1).size());
      }
      tell("tables", strings(connection.getMetaData().getTables(null, "air", null, null), 3));
      tell("columns", strings(connection.getMetaData().getColumns(null, "air", "flights", null), 4));
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery("SELECT nope");
      } catch (SQLException error) {
        tell("refused", error.getErrorCode());
      }
      try (Statement statement = connection.createStatement()) {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread canceller = new Thread(() -> cancel(statement, isOver));
        canceller.start();
        try {
          statement.executeQuery("SELECT count() FROM numbers(1900000000) WHERE sipHash64(number, 1, 2, 3) = 1");
          tell("cancelled", "not");
        } catch (SQLException error) {
          tell("cancelled", error.getErrorCode());
        }
        isOver.set(true);
        // The connection stays until the last cancel() has its answer.
        canceller.join();
      }
    }
  }

  /** Again and again: a query that has just begun is not there yet. */
  static void cancel(Statement statement, AtomicBoolean isOver) {
    try {
      for (int i = 0; i < 100 && !isOver.get(); i++) {
        Thread.sleep(200);
        if (!isOver.get()) statement.cancel();
      }
    } catch (Exception error) {
      tell("cancel", error);
    }
  }

  static List<String> strings(ResultSet rows, int column) throws SQLException {
    List<String> strings = new ArrayList<>();
    while (rows.next()) strings.add(rows.getString(column));
    return strings;
  }

  static void tell(String name, Object value) {
    System.out.println(name + "\t" + value);
  }
}
