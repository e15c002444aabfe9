package site.ycsb.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A small stand-in for YCSB's JDBC binding, which is not published: the same properties, table and messages. */
public class JdbcDBClient extends DB {
  private Connection connection;

  @Override
  public void init() throws DBException {
    String url = getProperties().getProperty("db.url", "");
    System.out.println("Adding shard node URL: " + url);
    try {
      Class.forName(getProperties().getProperty("db.driver"));
      connection = DriverManager.getConnection(
          url, getProperties().getProperty("db.user", ""), getProperties().getProperty("db.passwd", ""));
    } catch (ClassNotFoundException missing) {
      System.err.println("Error in initializing the JDBS driver: " + missing);
      throw new DBException(missing);
    } catch (SQLException failed) {
      System.err.println("Error in database operation: " + failed);
      throw new DBException(failed);
    }
    System.out.println("Using shards: 1, batchSize:-1, fetchSize: -1");
  }

  @Override
  public void cleanup() throws DBException {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw new DBException(failed);
    }
  }

  private PreparedStatement prepared(String sql, Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int index = 0; index < values.length; index++) {
      statement.setObject(index + 1, values[index]);
    }
    return statement;
  }

  @Override
  public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try (PreparedStatement statement = prepared("SELECT * FROM " + table + " WHERE YCSB_KEY = ?", key);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Status.OK : Status.NOT_FOUND;
    } catch (SQLException failed) {
      System.err.println("Error in processing read of table " + table + ": " + failed);
      return Status.ERROR;
    }
  }

  @Override
  public Status scan(String table, String start, int count, Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    String sql = "SELECT * FROM " + table + " WHERE YCSB_KEY >= ? ORDER BY YCSB_KEY LIMIT " + count;
    try (PreparedStatement statement = prepared(sql, start); ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        rows.getString(1);
      }
      return Status.OK;
    } catch (SQLException failed) {
      System.err.println("Error in processing scan of table: " + table + failed);
      return Status.ERROR;
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    StringBuilder sets = new StringBuilder();
    Map<String, String> texts = StringByteIterator.getStringMap(values);
    Object[] bound = new Object[texts.size() + 1];
    int index = 0;
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      sets.append(index == 0 ? "" : ", ").append(entry.getKey()).append(" = ?");
      bound[index++] = entry.getValue();
    }
    bound[index] = key;
    try (PreparedStatement statement = prepared("UPDATE " + table + " SET " + sets + " WHERE YCSB_KEY = ?", bound)) {
      return statement.executeUpdate() == 1 ? Status.OK : Status.UNEXPECTED_STATE;
    } catch (SQLException failed) {
      System.err.println("Error in processing update to table: " + table + failed);
      return Status.ERROR;
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    StringBuilder names = new StringBuilder("YCSB_KEY");
    StringBuilder marks = new StringBuilder("?");
    Map<String, String> texts = StringByteIterator.getStringMap(values);
    Object[] bound = new Object[texts.size() + 1];
    int index = 0;
    bound[index++] = key;
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      names.append(", ").append(entry.getKey());
      marks.append(", ?");
      bound[index++] = entry.getValue();
    }
    String sql = "INSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")";
    try (PreparedStatement statement = prepared(sql, bound)) {
      return statement.executeUpdate() == 1 ? Status.OK : Status.UNEXPECTED_STATE;
    } catch (SQLException failed) {
      System.err.println("Error in processing insert to table: " + table + failed);
      return Status.ERROR;
    }
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }
}
