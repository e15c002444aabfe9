import type { Document } from 'mongodb';
import type { Durability } from '../../../../shared/model/target.ts';
import type { ServerSetting } from '../../../../shared/model/target-details.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import { bySettingName, settingOf, type Wanted } from '../server-facts.ts';
import type { MongoConnection } from './connection.ts';
import { isRefusal } from './failure.ts';

/** Settings with the most influence on results, in the order shown. */
export const MONGO_SETTINGS: readonly Wanted[] = [
  { name: 'storageEngine', why: 'inMemory stores nothing on disk.' },
  {
    name: 'cacheBytes',
    unit: 'bytes',
    why: 'WiredTiger: data beyond it is read from the operating system or the disk.',
  },
  { name: 'defaultWriteConcern', why: 'Default write concern, if the program sets none.' },
  { name: 'storage.journal.enabled', why: 'false: a crash loses everything since the last checkpoint.' },
  {
    name: 'journalCommitInterval',
    unit: 'ms',
    why: 'Longest delay before a write that does not wait reaches the disk.',
  },
  { name: 'storage.syncPeriodSecs', unit: 's', why: 'Time between checkpoints.' },
  { name: 'storage.wiredTiger.collectionConfig.blockCompressor', why: 'Fewer bytes for more CPU time.' },
  { name: 'net.compression.compressors', why: 'Compresses network traffic.' },
  { name: 'net.maxIncomingConnections', why: 'More clients than this cannot connect.' },
  { name: 'operationProfiling.mode', why: 'all: every operation is also logged.' },
  { name: 'featureCompatibilityVersion', why: 'Features of later versions stay off.' },
  { name: 'replication.oplogSizeMB', unit: 'MiB', why: 'A second log that records each change.' },
];

/** The response to a command. Undefined if the server does not have it or the account may not run it. */
export async function responseTo(
  connection: MongoConnection,
  command: Document,
  database = 'admin',
): Promise<Document | undefined> {
  try {
    return await connection.command(database, command);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
/** Some parameters are a document around a single value: `{ version: "7.0" }`. */
export const wordsOfValue = (value: unknown): string => {
  const inner = isDocument(value) && Object.keys(value).length === 1 ? (value.version ?? value) : value;
  return typeof inner === 'string' ? inner : (JSON.stringify(inner) ?? '');
};

/** Flattens nested documents to paths such as `storage.journal.enabled`. */
export function* flat(document: Document, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(document)) {
    if (isDocument(value) && Object.keys(value).length > 0) yield* flat(value, `${prefix}${name}.`);
    else yield [`${prefix}${name}`, value];
  }
}

/** Parameters, with whether they can be set at run time, and the options that the server was started with. */
export async function mongoVariables(connection: MongoConnection): Promise<ServerSetting[]> {
  const detailed = await responseTo(connection, { getParameter: { showDetails: true, allParameters: true } });
  const started = await responseTo(connection, { getCmdLineOpts: 1 });
  const parameters = Object.entries(detailed ?? {}).flatMap(([name, about]) =>
    isDocument(about) && 'value' in about
      ? [
          settingOf(name, wordsOfValue(about.value), {
            change:
              about.settableAtRuntime === true ? 'dynamic' : about.settableAtStartup === true ? 'restart' : 'fixed',
            source: 'parameter',
          }),
        ]
      : [],
  );
  const options = [...flat(started?.parsed ?? {})].map(([name, value]) =>
    settingOf(name, wordsOfValue(value), { change: 'restart', source: 'command line or file' }),
  );
  return [...parameters, ...options].sort(bySettingName);
}

/** Values of the wanted settings, wherever the server stores them. */
export async function mongoFacts(connection: MongoConnection, status: Document): Promise<Map<string, string>> {
  const facts = new Map((await mongoVariables(connection)).map(({ name, value }) => [name, value]));
  const concern = (await responseTo(connection, { getDefaultRWConcern: 1 }))?.defaultWriteConcern;
  const cache = status.wiredTiger?.cache?.['maximum bytes configured'];
  if (isDocument(concern)) facts.set('defaultWriteConcern', wordsOfValue(concern));
  if (status.storageEngine?.name !== undefined) facts.set('storageEngine', String(status.storageEngine.name));
  if (typeof cache === 'number') facts.set('cacheBytes', String(cache));
  return facts;
}

/** Facts that affect durability. Undefined: not reported. */
export interface MongoPromise {
  /** False for a storage engine that stores nothing. */
  persistent: boolean | undefined;
  journal: boolean | undefined;
  /** From the target's URL, or the server's default. */
  writeConcern: { w?: string | number; j?: boolean; from: 'URL' | 'server' } | undefined;
  /** Whether "majority" waits for the journals. */
  majorityJournals: boolean | undefined;
  replicaSet: boolean;
}

/** Durability, which depends on whether a write waits for the journal on disk. */
export function mongoDurability(promise: MongoPromise): Durability {
  const judged: Judged[] = [];
  const { persistent, journal, writeConcern, majorityJournals } = promise;
  if (persistent !== undefined) {
    judged.push({ name: 'storageEngine.persistent', value: String(persistent), level: persistent ? 'safe' : 'unsafe' });
  }
  if (journal !== undefined) {
    judged.push({ name: 'storage.journal.enabled', value: String(journal), level: journal ? 'safe' : 'relaxed' });
  }
  // By default a replica set waits for the majority (5.0), a single server only for its memory.
  const { w = promise.replicaSet ? 'majority' : 1, j, from } = writeConcern ?? { from: 'server' };
  const waits = j ?? (w === 'majority' && promise.replicaSet && majorityJournals !== false);
  const concern = [`w: ${w}`, ...(j === undefined ? [] : [`j: ${j}`])].join(', ');
  judged.push({ name: `write concern of the ${from}`, value: concern, level: waits && w !== 0 ? 'safe' : 'relaxed' });
  if (majorityJournals === false) {
    judged.push({ name: 'writeConcernMajorityJournalDefault', value: 'false', level: 'relaxed' });
  }
  return durabilityOf(judged, persistent === undefined ? ['the storage engine'] : []);
}

export const mongoProduct = (build: Document): { product: string; version: string } => {
  if (typeof build.ferretdbVersion === 'string') return { product: 'FerretDB', version: build.ferretdbVersion };
  if (typeof build.psmdbVersion === 'string')
    return { product: 'Percona Server for MongoDB', version: build.psmdbVersion };
  return { product: 'MongoDB', version: String(build.version ?? '') };
};

/** "member of the replica set rs0 (3 members), primary", "mongos, router of a sharded cluster", "single server". */
export function topologyWords(hello: Document): string {
  if (hello.msg === 'isdbgrid') return 'mongos, router of a sharded cluster';
  if (typeof hello.setName !== 'string') return 'single server';
  const members = [hello.hosts, hello.passives, hello.arbiters].flatMap((list) => (Array.isArray(list) ? list : []));
  const role =
    hello.isWritablePrimary === true
      ? 'primary'
      : hello.secondary === true
        ? 'secondary'
        : 'neither primary nor secondary';
  return `${role} of the replica set ${hello.setName} (${members.length} members)`;
}
