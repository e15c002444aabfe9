import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import { invalidOptions, shareOf, startOf } from '../../option-problem.ts';
import type { Part } from '../../tool.ts';
import { addsRecords, distributionOf, type YcsbOptions } from '../options/index.ts';
import { propertyLine } from '../options/properties.ts';

/** The driver's default maximum of connections. */
const DEFAULT_POOL = 100;
const URL_PARTS = /^(mongodb:\/\/)([^/?#]+)(?:\/[^?#]*)?(?:\?([^#]*))?$/;

/** TLS of the target in the driver's terms. A URL cannot disable the driver's certificate check. */
function tlsOptions({ tls }: ConnectionFacts): string[] {
  if (tls === undefined || tls === 'disabled') return [];
  if (tls === 'verify') return ['ssl=true'];
  throw invalidOptions(
    'The MongoDB driver for Java always checks the server’s certificate, and this target disables that check.',
    'Set TLS of the target to verify, with the CA file on the generator; or to disabled.',
  );
}

/** The connection's only property: members, account, database and TLS. Throws `experiment-invalid` if no driver could connect with it. */
export function mongoProperties(options: YcsbOptions, connection: ConnectionFacts): string {
  if (connection.kind !== 'mongodb')
    throw invalidOptions(
      `The binding ${options.binding} needs a MongoDB target, not one of kind ${connection.kind}.`,
      'Choose a MongoDB target, or another binding.',
    );
  if (connection.host === undefined)
    throw invalidOptions(
      'YCSB’s MongoDB bindings support only TCP, but the target uses a socket.',
      'Name host and port in the target, as seen from the generator.',
    );
  const { url = `mongodb://${connection.host}:${connection.port ?? 27_017}/`, user, authSource, password } = connection;
  const [, scheme = 'mongodb://', members = '', given = ''] = URL_PARTS.exec(url) ?? [];
  const account = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@` : '';
  const threads = Math.max(options.threads, options['load-threads']);
  const query = [
    ...given.split('&').filter(Boolean),
    ...(user && authSource ? [`authSource=${encodeURIComponent(authSource)}`] : []),
    ...tlsOptions(connection),
    // All threads share one client: without enough connections, they would wait for each other.
    ...(threads > DEFAULT_POOL && !/(^|&)maxPoolSize=/i.test(given) ? [`maxPoolSize=${threads}`] : []),
  ];
  const database = encodeURIComponent(connection.database ?? '');
  const text = `${scheme}${account}${members}/${database}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return `${propertyLine('mongodb.url', text)}\n`;
}

export const dropCollection = (options: YcsbOptions): string => `drop ${options.table}`;
export const createCollection = (options: YcsbOptions): string => `create ${options.table}`;

/** Creates and drops a collection, for which the binding has no program. Java 11 and later run it from source, with the binding's driver. */
export const COLLECTION_PROGRAM = `import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.FileInputStream;
import java.util.Properties;

public class Collection {
  public static void main(String[] words) throws Exception {
    Properties properties = new Properties();
    try (FileInputStream file = new FileInputStream(words[0])) {
      properties.load(file);
    }
    ConnectionString url = new ConnectionString(properties.getProperty("mongodb.url"));
    try (MongoClient client = MongoClients.create(url)) {
      MongoDatabase database = client.getDatabase(url.getDatabase());
      if (words[1].equals("drop")) {
        database.getCollection(words[2]).drop();
      } else {
        database.createCollection(words[2]);
      }
      System.out.println("Command  \\"" + words[1] + " " + words[2] + "\\" successfully executed.");
    } catch (RuntimeException failed) {
      System.err.println("Error in executing command. " + failed);
      System.exit(1);
    }
  }
}
`;

const OPERATIONS = ['operation', 'operations'] as const;
const RECORDS = ['record', 'records'] as const;

/** A generator's part of threads, rate and operations, and of the keys if the load is measured. */
export function divideYcsb(options: YcsbOptions, part: Part): YcsbOptions {
  const { phase, operationcount, target } = options;
  return {
    ...options,
    threads: shareOf(['thread', 'threads'], options.threads, part),
    ...(target > 0 && { target: shareOf(['operation per second', 'operations per second'], target, part) }),
    ...(operationcount !== undefined && { operationcount: shareOf([...OPERATIONS], operationcount, part) }),
    ...(phase === 'load' ? keysOf(options, part) : addsRecords(options) ? newKeysOf(options, part) : {}),
  };
}

/** YCSB parses them as Java integers. */
const MOST_KEYS = 2_147_483_647;
/** Minimum number of new records that each generator must be able to number. */
const LEAST_ROOM = 10_000_000;

/**
 * All generators ask for the loaded records. New records of each have separate numbers, as YCSB numbers them from `recordcount`; the range it asks
 * for is set by `insertstart` and `insertcount`.
 */
function newKeysOf(
  options: YcsbOptions,
  { index, count }: Part,
): Pick<YcsbOptions, 'recordcount' | 'insertstart' | 'insertcount'> {
  const { recordcount } = options;
  const distribution = distributionOf(options);
  if (distribution === 'latest' || distribution === 'exponential')
    throw invalidOptions(
      `A workload that inserts records and selects them by age (requestdistribution ${distribution}) cannot be divided between generators: YCSB counts back from its own newest record, and for a second generator these numbers do not exist.`,
      'Use one generator, or set requestdistribution to uniform, zipfian or hotspot: they use the loaded records.',
    );
  const room = Math.floor((MOST_KEYS - recordcount) / count);
  if (room < LEAST_ROOM)
    throw invalidOptions(
      `With ${formatNumber(recordcount)} records, YCSB leaves each of ${count} generators only ${formatNumber(Math.max(0, room))} numbers for inserted records.`,
      'Use fewer records, or one generator.',
    );
  return { recordcount: recordcount + index * room, insertstart: 0, insertcount: recordcount };
}

/** Adjacent ranges. */
function keysOf(options: YcsbOptions, part: Part): Pick<YcsbOptions, 'insertstart' | 'insertcount'> {
  const total = options.insertcount ?? options.recordcount - options.insertstart;
  return {
    insertstart: options.insertstart + startOf([...RECORDS], total, part),
    insertcount: shareOf([...RECORDS], total, part),
  };
}
