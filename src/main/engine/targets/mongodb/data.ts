import type { Document } from 'mongodb';
import type { DataSizes } from '../../../../shared/model/target-details.ts';
import { COUNT_LIMIT } from '../link.ts';
import { numbersFrom, TABLES_LISTED } from '../server-facts.ts';
import { storedSize } from '../stored.ts';
import type { Room, Stored } from '../target.ts';
import type { MongoConnection } from './connection.ts';
import { isRefusal } from './failure.ts';
import { flat, responseTo } from './settings.ts';

/** Stored bytes of the target's database, including indexes. */
export async function mongoDataBytes(connection: MongoConnection): Promise<number> {
  const stats = await connection.command(connection.database, { dbStats: 1 });
  return Number(stats.totalSize ?? Number(stats.storageSize ?? 0) + Number(stats.indexSize ?? 0));
}

/** Space on the file system of its data. Undefined for a router, and for a server that stores nothing on disk. */
export async function mongoRoom(connection: MongoConnection): Promise<Room | undefined> {
  const { fsTotalSize, fsUsedSize } = (await responseTo(connection, { dbStats: 1 }, connection.database)) ?? {};
  const folder: unknown = (await responseTo(connection, { getCmdLineOpts: 1 }))?.parsed?.storage?.dbPath;
  const free = Number(fsTotalSize) - Number(fsUsedSize);
  return Number.isFinite(free)
    ? { folder: typeof folder === 'string' ? folder : 'the folder of its data', free }
    : undefined;
}

/**
 * Sizes of the target's database at its last checkpoint. File names do not identify databases, so files are known only if each has its own folder.
 */
export async function mongoStored(connection: MongoConnection): Promise<Stored> {
  const stats = await connection.command(connection.database, { dbStats: 1 });
  const { dbPath, directoryPerDB } = (await responseTo(connection, { getCmdLineOpts: 1 }))?.parsed?.storage ?? {};
  const { totalSize, storageSize = 0, indexSize = 0, dataSize, objects } = stats;
  const isPlain = typeof dbPath === 'string' && dbPath.startsWith('/');
  return {
    sizes: [
      storedSize('data', 'dbStats, totalSize', [[totalSize ?? Number(storageSize) + Number(indexSize)]]),
      storedSize('rows', 'dbStats, objects', [[objects]]),
      storedSize('uncompressed', 'dbStats, dataSize', [[dataSize]]),
      storedSize('compressed', 'dbStats, storageSize', [[storageSize]]),
    ],
    places: [
      ...(isPlain && directoryPerDB === true && /^[\w-]+$/.test(connection.database)
        ? [{ what: 'data', folder: `${dbPath}/${connection.database}` } as const]
        : []),
      ...(isPlain ? [{ what: 'log', folder: `${dbPath}/journal` } as const] : []),
    ],
  };
}

const namesOf = async (connection: MongoConnection, filter: Document): Promise<string[]> => {
  const command = { listCollections: 1, filter, nameOnly: true };
  const found = await connection.find(connection.database, command);
  return found.filter(({ type }) => type !== 'view').map(({ name }) => String(name));
};

export async function mongoSizes(connection: MongoConnection): Promise<DataSizes> {
  const { databases } = await connection.command('admin', { listDatabases: 1 });
  const names = await namesOf(connection, {});
  const tables: DataSizes['tables'] = [];
  for (const name of names.slice(0, TABLES_LISTED)) {
    const size = await sizeOf(connection, name);
    if (size) tables.push(size);
  }
  return {
    databases: (databases as Document[])
      .map(({ name, sizeOnDisk }) => ({ name: String(name), bytes: Number(sizeOnDisk) }))
      .sort((a, b) => b.bytes - a.bytes),
    tables: tables.sort((a, b) => b.bytes - a.bytes),
    tablesLeftOut: Math.max(0, names.length - TABLES_LISTED),
  };
}

/** Undefined for a collection that no longer exists, or that this account may not read. */
async function sizeOf(connection: MongoConnection, name: string): Promise<DataSizes['tables'][number] | undefined> {
  try {
    const stats = await connection.command(connection.database, { collStats: name });
    const indexBytes = Number(stats.totalIndexSize ?? 0);
    return { name, bytes: Number(stats.storageSize ?? 0) + indexBytes, indexBytes, rows: Number(stats.count ?? 0) };
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Documents of a collection, counted one by one. Undefined if there is no such collection. */
export async function countDocuments(connection: MongoConnection, collection: string): Promise<number | undefined> {
  const [name] = await namesOf(connection, { name: collection });
  if (name === undefined) return undefined;
  const pipeline = [{ $group: { _id: null, n: { $sum: 1 } } }];
  const [row] = await connection.find(connection.database, { aggregate: name, pipeline, cursor: {} }, COUNT_LIMIT);
  return Number(row?.n ?? 0);
}

/** Figures of `serverStatus` by their path: `opcounters.insert`. */
export async function mongoCounters(connection: MongoConnection): Promise<Record<string, number>> {
  const status = await connection.command('admin', { serverStatus: 1 });
  return numbersFrom([...flat(status)].filter(([, value]) => typeof value === 'number'));
}

export const firstDocuments = async (
  connection: MongoConnection,
  collection: string,
  most: number,
): Promise<string[]> =>
  (await connection.find(connection.database, { find: collection, limit: most })).map((each) => JSON.stringify(each));
