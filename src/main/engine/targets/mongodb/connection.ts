import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, isIP, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { checkServerIdentity } from 'node:tls';
import type { Document, MongoClientOptions } from 'mongodb';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { CONNECT_LIMIT, type Link, linkTo, type Place, QUERY_LIMIT } from '../link.ts';
import type { Connected } from '../server.ts';
import { certificateAuthority } from '../server-facts.ts';
import type { Reach } from '../target.ts';

/** Configuration, as entered in the form. */
export interface MongoConfig {
  url: string;
  user: string;
  authSource: string;
  database: string;
  tls: 'disabled' | 'required' | 'verify';
  caFile: string;
}

export interface MongoConnection {
  /** Runs a command on a database and returns numbers as numbers. Closes the connection if there is no response within `limit` ms. */
  command(database: string, command: Document, limit?: number): Promise<Document>;
  /** All documents of the cursor opened by a command. */
  find(database: string, command: Document, limit?: number): Promise<Document[]>;
  /** The `hello` response of the connected member. */
  readonly hello: Document;
  /** Address of that member. */
  readonly place: Place;
  readonly database: string;
  close(): Promise<void>;
}

function tlsOptions(config: MongoConfig, place: Place): MongoClientOptions {
  if (config.tls === 'disabled') return { tls: false };
  const name = isIP(place.address) === 0 ? { servername: place.address } : {};
  if (config.tls === 'required')
    return { tls: true, ...name, tlsAllowInvalidCertificates: true, tlsAllowInvalidHostnames: true };
  const ca = certificateAuthority(config.caFile);
  return {
    tls: true,
    ...name,
    checkServerIdentity: (_socket: string, certificate) => checkServerIdentity(place.address, certificate),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** Connects directly to one member: the driver contacts no other, and opens its two connections through `reach`. */
async function speakTo(
  place: Place,
  config: MongoConfig,
  secret: string | undefined,
  reach: Reach,
  signal: AbortSignal | undefined,
): Promise<MongoConnection> {
  // A large library that most users never need.
  const { MongoClient } = await import('mongodb');
  const links = new Set<Link>();
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => undefined);
  let isOpen = false;
  const dial = async (): Promise<Link> => {
    const link = await linkTo(reach, place, signal);
    links.add(link);
    let reason: unknown = new Error('Connection closed by the other side');
    link.once('error', (error) => {
      reason = error;
    });
    // The driver does not always notice a closed link. While connecting, it reports a more precise reason itself.
    link.once('close', () => {
      links.delete(link);
      if (isOpen) end.reject(reason);
    });
    return link;
  };
  // Connect before the driver does, so that a failure has the network's own reason.
  let first: Link | undefined = await dial();
  const socket = await openPrivateSocket(async () => {
    const link = first ?? (await dial());
    first = undefined;
    return link;
  });
  const client = new MongoClient(`mongodb://${encodeURIComponent(socket.path)}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: CONNECT_LIMIT,
    connectTimeoutMS: CONNECT_LIMIT,
    heartbeatFrequencyMS: 3_600_000,
    serverMonitoringMode: 'poll',
    maxPoolSize: 1,
    retryReads: false,
    retryWrites: false,
    appName: 'kneepoint',
    promoteLongs: true,
    ...(config.user === ''
      ? {}
      : { auth: { username: config.user, password: secret ?? '' }, authSource: config.authSource }),
    ...tlsOptions(config, place),
  });
  // The driver would retry until its time limit; the first failure is the reason.
  client.on('serverHeartbeatFailed', ({ failure }) => end.reject(failure));
  signal?.addEventListener('abort', () => end.reject(signal.reason), { once: true });
  const within = async <Value>(limit: number, work: Promise<Value>): Promise<Value> => {
    for (const link of links) link.ask();
    const timer = setTimeout(() => end.reject(new Error(`Query timeout: no answer within ${limit / 1000} s.`)), limit);
    try {
      return await Promise.race([work, end.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  const close = async (): Promise<void> => {
    isOpen = false;
    end.reject(new Error('The connection is closed'));
    // The driver's closing message may wait for a server that is gone.
    await Promise.race([client.close(true).catch(() => undefined), delay(1000, undefined, { ref: false })]);
    await socket.close();
    for (const link of links) link.destroy();
  };
  try {
    await within(2 * CONNECT_LIMIT, client.connect());
    const hello = await within(QUERY_LIMIT, client.db('admin').command({ hello: 1 }));
    isOpen = true;
    return {
      hello,
      place,
      database: config.database,
      command: (database, command, limit = QUERY_LIMIT) => within(limit, client.db(database).command(command)),
      find: (database, command, limit = QUERY_LIMIT) =>
        within(limit, client.db(database).runCursorCommand(command).toArray()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connects to the first seed that responds, and from a secondary to the primary if it is reachable. */
export async function connectMongo(
  config: MongoConfig,
  secret: string | undefined,
  reach: Reach,
  signal: AbortSignal | undefined,
): Promise<Connected<MongoConnection>> {
  const { seeds, options } = readUrl(config.url);
  const wanted = options.get('replicaSet');
  let failure: unknown;
  for (const seed of seeds) {
    try {
      const connection = await speakTo(seed, config, secret, reach, signal);
      await requireSet(connection, wanted, seed);
      return {
        connection: await atPrimary(connection, (place) => speakTo(place, config, secret, reach, signal)),
        downgraded: undefined,
      };
    } catch (error) {
      failure ??= error;
      signal?.throwIfAborted();
    }
  }
  throw failure;
}

/** Rejects a server of a different replica set. */
async function requireSet(connection: MongoConnection, wanted: string | undefined, seed: Place): Promise<void> {
  const found: unknown = connection.hello.setName;
  if (wanted === undefined || found === wanted) return;
  await connection.close();
  throw new KneepointError({
    code: 'target-unreachable',
    message: `The server at ${seed.address}:${seed.port} belongs to ${typeof found === 'string' ? `the replica set ${found}` : 'no replica set'}, but the URL names ${wanted}.`,
    safe: 'Only its identity was queried.',
    next: 'Correct replicaSet in the URL, or omit it.',
  });
}

async function atPrimary(
  connection: MongoConnection,
  speak: (place: Place) => Promise<MongoConnection>,
): Promise<MongoConnection> {
  const { isWritablePrimary, primary } = connection.hello;
  if (isWritablePrimary === true || typeof primary !== 'string') return connection;
  try {
    const better = await speak(seedOf(primary));
    await connection.close();
    return better;
  } catch {
    // Members name each other as they see themselves. An unreachable one is not needed to describe the set.
    return connection;
  }
}

/** A Unix socket (a named pipe on Windows) private to this process. */
interface PrivateSocket {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Forwards connections to the socket to a stream of `dial`, for drivers that open their connections themselves. No port is opened, and only this user
 * can access the folder of the socket.
 */
async function openPrivateSocket(dial: () => Promise<Duplex>): Promise<PrivateSocket> {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    dial().then(
      (far) => joinStreams(socket, far),
      () => socket.destroy(),
    );
  });
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'kneepoint-mongodb-'));
  const path = folder === undefined ? `\\\\.\\pipe\\kneepoint-${randomUUID()}.sock` : join(folder, 's.sock');
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** When either end closes, so does the other. */
function joinStreams(near: Socket, far: Duplex): void {
  far.once('error', () => near.destroy());
  far.once('close', () => near.destroy());
  near.once('close', () => far.destroy());
  near.pipe(far).pipe(near);
}

/** The parts of a MongoDB URL that Kneepoint uses; accounts and TLS have separate fields. */
export interface MongoUrl {
  /** In the given order. A Unix socket has a path instead of address and port. */
  seeds: readonly { address: string; port: number; socket: string }[];
  /** Empty: none named. */
  database: string;
  options: ReadonlyMap<string, string>;
}

const PORT = 27_017;
const URL = /^mongodb:\/\/([^/?#@\s]+)(?:\/([^/?#\s]*))?(?:\?([^#\s]*))?$/;
const SEED = /^(?:\[([A-Fa-f0-9:.%]+)\]|([A-Za-z0-9_][A-Za-z0-9._-]*))(?::(\d{1,5}))?$/;
/** Not allowed as options, since they would weaken TLS or contain a secret. */
const ELSEWHERE = /^(tls|ssl|auth|proxy|username|password|srv)/i;

/** The error in a URL as a sentence. Undefined if it is valid. */
export function urlProblem(text: string): string | undefined {
  if (/^mongodb\+srv:/i.test(text))
    return 'List the members instead: each program would resolve mongodb+srv on its own.';
  if (text.includes('@')) return 'User and password have separate fields.';
  const match = URL.exec(text);
  if (!match) return 'A URL such as mongodb://db1:27017,db2:27017/?replicaSet=rs0.';
  for (const seed of (match[1] ?? '').split(',')) {
    const port = Number(SEED.exec(seed)?.[3] ?? PORT);
    const known = isSocket(seed) || (SEED.test(seed) && port >= 1 && port <= 65_535);
    if (!known) return `“${seed}” is not an address with a port.`;
  }
  const other = [...new URLSearchParams(match[3]).keys()].find((name) => ELSEWHERE.test(name));
  return other === undefined ? undefined : `${other} has a separate field, or is not used here.`;
}

const isSocket = (seed: string): boolean => /^%2F.*\.sock$/i.test(seed);

/** Parses a valid URL. */
export function readUrl(text: string): MongoUrl {
  const [, seeds = '', database = '', options] = URL.exec(text) ?? [];
  return {
    seeds: seeds.split(',').map(seedOf),
    database: decodeURIComponent(database),
    options: new Map(new URLSearchParams(options)),
  };
}

/** Parses `db1:27017`, as written in URLs and by servers. */
function seedOf(seed: string): MongoUrl['seeds'][number] {
  if (isSocket(seed)) return { address: 'localhost', port: PORT, socket: decodeURIComponent(seed) };
  const [, inBrackets, plain, port] = SEED.exec(seed) ?? [];
  return { address: inBrackets ?? plain ?? seed, port: Number(port ?? PORT), socket: '' };
}
