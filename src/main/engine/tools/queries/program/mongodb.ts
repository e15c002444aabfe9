import { readFileSync } from 'node:fs';
import { BSON, type ClientSession, type Document, MongoClient, type MongoClientOptions } from 'mongodb';
import type { Answer, Driver } from './driver.ts';
import type { Connection } from './settings.ts';

const CONNECT_LIMIT = 15_000;
/** Commands that return a cursor. */
const WITH_CURSOR = ['aggregate', 'find', 'listCollections', 'listIndexes'];
/** Fields of every reply that are not part of the result. */
const OF_THE_REPLY = new Set(['ok', 'operationTime', '$clusterTime', 'electionId', 'opTime']);

const written = (document: Document): string => BSON.EJSON.stringify(document, { relaxed: false });

/** Parses a command as JSON, with comment lines as in SQL. Throws SyntaxError. */
const commandOf = (statement: string): Document =>
  BSON.EJSON.parse(statement.replace(/^\s*--.*$/gm, ''), { relaxed: true }) as Document;

function optionsOf({ relay, user, password, authSource, tls, caFile }: Connection): MongoClientOptions {
  return {
    appName: 'kneepoint',
    serverSelectionTimeoutMS: CONNECT_LIMIT,
    connectTimeoutMS: CONNECT_LIMIT,
    retryReads: false,
    retryWrites: false,
    ...(relay !== undefined && { directConnection: true }),
    ...(user && { auth: { username: user, password: password ?? '' }, authSource: authSource ?? 'admin' }),
    ...(tls !== undefined && tls !== 'disabled' && { tls: true }),
    ...(tls !== undefined &&
      tls !== 'disabled' &&
      tls !== 'verify' && { tlsAllowInvalidCertificates: true, tlsAllowInvalidHostnames: true }),
    ...(tls === 'verify' && caFile && { ca: readFileSync(caFile, 'utf8') }),
  };
}

/** Through the app there is only one member, regardless of the set's name; the write concern is kept. */
function urlOf({ url, host, port, relay }: Connection): string {
  const whole = url ?? `mongodb://${host ?? '127.0.0.1'}:${port ?? 27_017}/`;
  if (relay === undefined) return whole;
  const options = new URLSearchParams(/\?(.*)$/.exec(whole)?.[1]);
  options.delete('replicaSet');
  return `mongodb://${encodeURIComponent(relay)}/?${options}`;
}

async function send(
  client: MongoClient,
  database: string,
  command: Document,
  session?: ClientSession,
): Promise<Answer> {
  const db = client.db(database);
  const options = session ? { session } : {};
  if (WITH_CURSOR.some((name) => name in command)) {
    const whole = 'aggregate' in command && !('cursor' in command) ? { ...command, cursor: {} } : command;
    const documents = await db.runCursorCommand(whole, options).toArray();
    return { rows: documents.length, columns: ['document'], values: documents.map((one) => [written(one)]) };
  }
  const reply = await db.command(command, options);
  const content = Object.fromEntries(Object.entries(reply).filter(([name]) => !OF_THE_REPLY.has(name)));
  const text = BSON.EJSON.stringify(content, undefined, 2, { relaxed: true });
  return { rows: typeof reply.n === 'number' ? reply.n : 1, columns: ['reply'], values: [[text]] };
}

/** Commands as JSON, `{"aggregate": "orders", "pipeline": […]}`, sent to the target's database. */
export async function connectMongo(connection: Connection): Promise<Driver> {
  const client = new MongoClient(urlOf(connection), optionsOf(connection));
  await client.connect();
  const database = connection.database ?? 'test';
  const build = await client.db('admin').command({ buildInfo: 1 });
  const session = client.startSession();
  return {
    server: build.ferretdb?.version ? `FerretDB ${build.ferretdb.version}` : `MongoDB ${build.version}`,
    encryption: connection.tls === undefined || connection.tls === 'disabled' ? 'none' : 'TLS',
    run: (statement) => send(client, database, commandOf(statement), session),
    explain: (statement, how) =>
      written({ explain: commandOf(statement), verbosity: how === 'explain' ? 'queryPlanner' : 'executionStats' }),
    async cancel() {
      await client.db('admin').command({ killSessions: [session.id] });
    },
    async close() {
      await session.endSession();
      await client.close();
    },
  };
}
