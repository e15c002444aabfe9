package site.ycsb.db;

import com.mongodb.ConnectionString;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.bson.Document;
import org.bson.types.Binary;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A small stand-in for YCSB's MongoDB binding, which is not published: the same property, documents and messages, one client for all threads. */
public class MongoDbClient extends DB {
  private static MongoClient client;
  private static MongoDatabase database;
  private static int users;

  @Override
  public void init() {
    synchronized (MongoDbClient.class) {
      users++;
      if (client != null) {
        return;
      }
      String url = getProperties().getProperty("mongodb.url", "mongodb://localhost:27017/ycsb?w=1");
      try {
        ConnectionString parsed = new ConnectionString(url);
        client = MongoClients.create(parsed);
        String name = parsed.getDatabase();
        database = client.getDatabase(name == null || name.equals("admin") ? "ycsb" : name);
        // The published one prints the password that is in it as well.
        System.out.println("mongo client connection created with " + url);
      } catch (RuntimeException failed) {
        System.err.println("Could not initialize MongoDB connection pool for Loader: " + failed);
      }
    }
  }

  @Override
  public void cleanup() {
    synchronized (MongoDbClient.class) {
      users--;
      if (users == 0 && client != null) {
        client.close();
        client = null;
      }
    }
  }

  private interface Work {
    Status on(MongoCollection<Document> collection);
  }

  private static Status attempt(String table, Work work) {
    try {
      return work.on(database.getCollection(table));
    } catch (RuntimeException failed) {
      System.err.println(failed);
      return Status.ERROR;
    }
  }

  private static FindIterable<Document> only(FindIterable<Document> found, Set<String> fields) {
    return fields == null ? found : found.projection(Projections.include(new ArrayList<>(fields)));
  }

  private static void copy(Document document, Map<String, ByteIterator> result) {
    for (Map.Entry<String, Object> entry : document.entrySet()) {
      if (entry.getValue() instanceof Binary) {
        result.put(entry.getKey(), new ByteArrayByteIterator(((Binary) entry.getValue()).getData()));
      }
    }
  }

  private static Document bytes(Map<String, ByteIterator> values) {
    Document document = new Document();
    for (Map.Entry<String, ByteIterator> entry : values.entrySet()) {
      document.put(entry.getKey(), entry.getValue().toArray());
    }
    return document;
  }

  @Override
  public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return attempt(table, collection -> {
      Document found = only(collection.find(Filters.eq("_id", key)), fields).first();
      if (found == null) {
        return Status.NOT_FOUND;
      }
      copy(found, result);
      return Status.OK;
    });
  }

  @Override
  public Status scan(String table, String start, int count, Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return attempt(table, collection -> {
      FindIterable<Document> found = collection.find(Filters.gte("_id", start)).sort(Sorts.ascending("_id"));
      for (Document document : only(found.limit(count), fields)) {
        HashMap<String, ByteIterator> values = new HashMap<>();
        copy(document, values);
        result.add(values);
      }
      if (!result.isEmpty()) {
        return Status.OK;
      }
      System.err.println("Nothing found in scan for key " + start);
      return Status.ERROR;
    });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return attempt(table, collection -> {
      Document change = new Document("$set", bytes(values));
      if (collection.updateOne(Filters.eq("_id", key), change).getMatchedCount() == 1) {
        return Status.OK;
      }
      System.err.println("Nothing updated for key " + key);
      return Status.NOT_FOUND;
    });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    try {
      Document document = bytes(values);
      document.put("_id", key);
      database.getCollection(table).insertOne(document);
      return Status.OK;
    } catch (RuntimeException failed) {
      System.err.println("Exception while trying bulk insert with 0");
      failed.printStackTrace();
      return Status.ERROR;
    }
  }

  @Override
  public Status delete(String table, String key) {
    return attempt(table, collection -> collection.deleteOne(Filters.eq("_id", key)).getDeletedCount() == 1
        ? Status.OK : Status.NOT_FOUND);
  }
}
