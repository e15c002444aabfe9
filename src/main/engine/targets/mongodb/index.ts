import type { Document } from 'mongodb';
import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { type Connected, defineServer } from '../server.ts';
import { present, SESSIONS_LISTED, settingsFrom, sizeBytes, statementOf, tlsSetting } from '../server-facts.ts';
import { caFileField, databaseField, printable, words } from '../wording.ts';
import {
  connectMongo,
  type MongoConfig,
  type MongoConnection,
  type MongoUrl,
  readUrl,
  urlProblem,
} from './connection.ts';
import {
  countDocuments,
  firstDocuments,
  mongoCounters,
  mongoDataBytes,
  mongoRoom,
  mongoSizes,
  mongoStored,
} from './data.ts';
import { CODES, isRefusal, mongoCode, mongoProblem } from './failure.ts';
import { managedMongo } from './managed.ts';
import { mongoHostLines, mongoOnHost } from './monitoring/on-host.ts';
import { MONGO_SERIES } from './monitoring/rules.ts';
import { mongoSampler } from './monitoring/sample.ts';
import {
  MONGO_SETTINGS,
  mongoDurability,
  mongoFacts,
  mongoProduct,
  mongoVariables,
  responseTo,
  topologyWords,
} from './settings.ts';
import { mongoControl } from './varying.ts';

const config = z.strictObject({
  url: printable(2048)
    .trim()
    .superRefine((text, context) => {
      const problem = urlProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .default('mongodb://127.0.0.1:27017/')
    .meta(
      words(
        'URL',
        'Members or routers as seen from the load generator, with options such as replicaSet and w: mongodb://db1:27017,db2:27017/?replicaSet=rs0. Kneepoint uses the first that responds. Account and TLS have separate fields.',
        'Server',
      ),
    ),
  user: printable(128)
    .default('')
    .meta(words('User', 'Account of the database server. Empty: no login.', 'Account')),
  authSource: printable(64)
    .min(1)
    .default('admin')
    .meta(words('Authentication database', 'Database in which the user was created (authSource).', 'Account')),
  database: databaseField('Name of the database to work in. The first write creates it.'),
  tls: z
    .enum(['disabled', 'required', 'verify'])
    .default('disabled')
    .meta(
      words(
        'TLS',
        'disabled: never encrypted. required: always encrypted, certificate not checked. verify: encrypted, and the certificate must be signed by a known CA for this address.',
        'Encryption',
      ),
    ),
  caFile: caFileField,
});

const TLS_WORDS: Readonly<Record<MongoConfig['tls'], string>> = {
  disabled: 'none',
  required: 'encrypted, certificate not checked',
  verify: 'encrypted, certificate checked',
};

async function describe(
  { connection }: Connected<MongoConnection>,
  { url, tls }: MongoConfig,
): Promise<TargetDescription> {
  const build = await connection.command('admin', { buildInfo: 1 });
  const status = (await responseTo(connection, { serverStatus: 1 })) ?? {};
  const facts = await mongoFacts(connection, status);
  const replication = (await responseTo(connection, { replSetGetConfig: 1 }))?.config;
  const { product, version } = mongoProduct(build);
  const topology = topologyWords(connection.hello);
  return {
    product,
    version,
    flavour: product === 'FerretDB' ? `reports MongoDB ${build.version}, ${topology}` : topology,
    settings: [...settingsFrom(facts, MONGO_SETTINGS), tlsSetting(TLS_WORDS[tls])],
    tls: TLS_WORDS[tls],
    encrypted: tls !== 'disabled',
    durability: mongoDurability({
      persistent: status.storageEngine?.persistent,
      journal: journalOf(facts.get('storage.journal.enabled'), status),
      writeConcern: concernOf(readUrl(url), facts.get('defaultWriteConcern')),
      majorityJournals: replication?.writeConcernMajorityJournalDefault,
      replicaSet: typeof connection.hello.setName === 'string' || connection.hello.msg === 'isdbgrid',
    }),
    dataBytes: await mongoDataBytes(connection),
    readAt: Date.now(),
  };
}

/** Since 6.1 it cannot be disabled and is no longer reported. A persistent WiredTiger that does not report it has it. */
const journalOf = (option: string | undefined, status: Document): boolean | undefined =>
  option === undefined ? (status.storageEngine?.name === 'wiredTiger' ? true : undefined) : option === 'true';

function concernOf({ options }: MongoUrl, ofServer: string | undefined) {
  const [w, j] = [options.get('w'), options.get('journal') ?? options.get('j')];
  if (w !== undefined || j !== undefined) {
    return {
      from: 'URL' as const,
      ...(w === undefined ? {} : { w: /^\d+$/.test(w) ? Number(w) : w }),
      ...(j === undefined ? {} : { j: j === 'true' }),
    };
  }
  return ofServer === undefined ? undefined : { from: 'server' as const, ...(JSON.parse(ofServer) as { w?: number }) };
}

/** The server has no id; host, port and data folder identify it. FerretDB reports only its host. */
async function identity(connection: MongoConnection): Promise<Record<string, string>> {
  const host: unknown = (await responseTo(connection, { serverStatus: 1 }))?.host;
  const folder: unknown = (await responseTo(connection, { getCmdLineOpts: 1 }))?.parsed?.storage?.dbPath;
  if (typeof host !== 'string') return {};
  return typeof folder === 'string' ? { 'data directory': `${host}:${folder}` } : { 'server host': host };
}

/** Client connections, running or idle. Without the inprog right, only those of this account. */
async function mongoSessions(connection: MongoConnection): Promise<LiveSession[]> {
  const operations = await operationsOf(connection, true).catch((error: unknown) => {
    if (mongoCode(error) === CODES.unauthorized) return operationsOf(connection, false);
    throw error;
  });
  return operations
    .filter((operation) => operation.connectionId !== undefined)
    .slice(0, SESSIONS_LISTED)
    .map(sessionOf(connection));
}

async function operationsOf(connection: MongoConnection, allUsers: boolean): Promise<Document[]> {
  const stage = { $currentOp: { allUsers, idleConnections: true } };
  try {
    return await connection.find('admin', { aggregate: 1, pipeline: [stage], cursor: {} });
  } catch (error) {
    // FerretDB only has the older command.
    if (mongoCode(error) === CODES.unauthorized || !isRefusal(error)) throw error;
    const { inprog } = await connection.command('admin', { currentOp: 1, $all: true, $ownOps: !allUsers });
    return Array.isArray(inprog) ? inprog : [];
  }
}

const sessionOf =
  (connection: MongoConnection) =>
  (operation: Document): LiveSession => {
    const { active, op, ns, command, waitingForLock, secs_running: seconds, connectionId } = operation;
    const users = Array.isArray(operation.effectiveUsers) ? operation.effectiveUsers : [];
    const idle = command === undefined || Object.keys(command).length === 0;
    return {
      id: String(connectionId),
      state: active === true ? String(op ?? 'active') : 'idle',
      own: connectionId === connection.hello.connectionId,
      ...present({
        user: users.map((each: Document) => String(each.user)).join(', '),
        client: [operation.client, operation.appName].filter((part) => typeof part === 'string').join(', '),
        database: typeof ns === 'string' ? ns.split('.')[0] : undefined,
        wait: waitingForLock === true ? 'a lock' : undefined,
        seconds: typeof seconds === 'number' ? seconds : undefined,
        statement: idle ? undefined : statementOf(JSON.stringify(command)),
      }),
    };
  };

/** MongoDB (4.4 and later), Percona Server for MongoDB, FerretDB. */
export const mongoTarget = defineServer({
  kind: 'mongodb',
  title: 'MongoDB',
  family: 'MongoDB',
  example: {
    name: 'mongodb-8.0 on db-bench-01',
    config: { url: 'mongodb://TARGET:27017/', user: 'USER', database: 'DATABASE' },
  },
  config,
  cacheBytes: (setting) => sizeBytes(setting('cacheBytes')),
  managed: managedMongo,
  captures: [],
  monitoring: { rules: MONGO_SERIES, processes: ['mongod', 'mongos', 'ferretdb'], hostLines: mongoHostLines },
  facts: ({ url, user, authSource, database, tls, caFile }, secret) => {
    const [first] = readUrl(url).seeds;
    return {
      kind: 'mongodb',
      url,
      ...(first && (first.socket === '' ? { host: first.address, port: first.port } : { socket: first.socket })),
      ...(user === '' ? {} : { user, authSource }),
      ...(secret === undefined ? {} : { password: secret }),
      database,
      tls,
      ...(caFile === '' ? {} : { caFile }),
    };
  },
  where: ({ url }) => {
    const place = readUrl(url)
      .seeds.map(({ address, port, socket }) => (socket === '' ? `${address}:${port}` : socket))
      .join(', ');
    return { server: 'the MongoDB server', address: readUrl(url).seeds[0]?.address ?? '', place };
  },
  connect: connectMongo,
  problem: mongoProblem,
  isRefusal,
  ask: {
    ping: (connection) => connection.command('admin', { ping: 1 }),
    describe,
    identity,
    counters: mongoCounters,
    countRows: countDocuments,
    settings: mongoVariables,
    sizes: mongoSizes,
    room: mongoRoom,
    stored: mongoStored,
    firstRows: firstDocuments,
    sessions: mongoSessions,
    settingsControl: mongoControl,
    sampler: mongoSampler,
    samplesOnHost: mongoOnHost,
  },
});
