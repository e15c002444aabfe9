package site.ycsb.db;

import java.io.FileInputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Properties;

/** Runs one statement, called as the binding's own: -P properties -c statement. */
public final class JdbcDBCli {
  private JdbcDBCli() {
  }

  public static void main(String[] words) throws Exception {
    Properties properties = new Properties();
    String sql = null;
    for (int index = 0; index + 1 < words.length; index += 2) {
      if (words[index].equals("-P")) {
        try (FileInputStream file = new FileInputStream(words[index + 1])) {
          properties.load(file);
        }
      } else if (words[index].equals("-c")) {
        sql = words[index + 1];
      }
    }
    try {
      Class.forName(properties.getProperty("db.driver"));
    } catch (ClassNotFoundException missing) {
      System.err.println("Error in executing command. java.sql.SQLException: JDBC Driver class not found.");
      System.exit(1);
    }
    try (Connection connection = DriverManager.getConnection(
            properties.getProperty("db.url"), properties.getProperty("db.user"), properties.getProperty("db.passwd", ""));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      System.out.println("Command  \"" + sql + "\" successfully executed.");
      System.out.println("Closing database connection.");
    } catch (java.sql.SQLException failed) {
      System.err.println("Error in executing command. " + failed);
      System.exit(1);
    }
  }
}
