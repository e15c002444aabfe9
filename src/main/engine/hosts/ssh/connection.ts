import type { Duplex } from 'node:stream';
import type { Algorithms, AuthenticationType, Client, ClientChannel, ServerHostKeyAlgorithm } from 'ssh2';
import type { KneepointError } from '../../../../shared/model/problem.ts';
import type { Credentials, Ssh2 } from './credentials.ts';
import { fingerprintOf, judgeKey, type KeySource, type KeyVerdict, knownKeyTypes } from './host-keys.ts';
import {
  authProblem,
  brokenLoginProblem,
  connectProblem,
  detailsOf,
  keyProblem,
  lostProblem,
  type Place,
  wasRejected,
} from './link-problems.ts';
import { ForwardedStream, gatherWrites } from './sockets.ts';

const LOGIN_LIMIT_MS = 20_000;
const PING_EVERY_MS = 2_000;

/** A logged-in SSH connection. */
export interface Connection {
  readonly trustedBy: 'library' | 'known_hosts';
  /** Fingerprint of the key that the host presented. */
  readonly hostKey: string | undefined;
  /** Opens a channel that runs the constant shell command. */
  shell(command: string): Promise<ClientChannel>;
  forward(address: string, port: number): Promise<ForwardedStream>;
  forwardSocket(path: string): Promise<ForwardedStream>;
  /** Why the connection is lost; undefined while it is up. */
  lost(): KneepointError | undefined;
  /** Returns a function that removes the listener. */
  onLost(listener: (problem: KneepointError) => void): () => void;
  close(): void;
}

export interface ConnectRequest {
  place: Place;
  user: string;
  /** A connected byte stream to the SSH server. */
  socket: Duplex;
  /** Bytes received on `socket` so far. */
  received: () => number;
  credentials: Credentials;
  keys: KeySource;
  /** Called with every key that the host presents, before it is judged. */
  onKey: (blob: Buffer) => void;
}

/** No SHA-1, no CBC, no DSS: a server without anything better is refused. */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    'chacha20-poly1305@openssh.com',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies Algorithms;
const HOST_KEYS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

/** Logs in over a socket. The only place in the project that creates an SSH client; its key check cannot be omitted. */
export function openConnection(ssh2: Ssh2, request: ConnectRequest): Promise<Connection> {
  const { place, credentials, keys } = request;
  const client = new ssh2.Client();
  gatherWrites(request.socket);
  let verdict: KeyVerdict | undefined;
  let received = '';
  let hostKey: string | undefined;
  return new Promise((resolve, reject) => {
    let settled = false;
    const fail = (error: unknown) => {
      if (settled) return;
      settled = true;
      client.destroy();
      request.socket.destroy();
      if (verdict && verdict.verdict !== 'trusted') reject(keyProblem(place, verdict));
      else if (isAuthError(error)) reject(authProblem(place, request.user, credentials.refusal()));
      else if (credentials.offered() && wasRejected(error)) reject(brokenLoginProblem(place));
      else reject(connectProblem(place, error, received));
    };
    // Stays for the whole life of the client: an error without a listener would end the process.
    client.on('error', (error) => {
      // A key that the agent refuses to sign with is not the end: the next one is tried.
      if (detailsOf(error).level !== 'agent') fail(error);
    });
    client.once('close', () => fail(new Error('Connection lost before handshake')));
    client.once('ready', () => {
      if (settled || verdict?.verdict !== 'trusted') return fail(new Error('The login ended without a verified key'));
      settled = true;
      resolve(connectionOf(client, place, { trustedBy: verdict.by, hostKey }, request));
    });
    client.connect({
      sock: request.socket,
      username: request.user,
      readyTimeout: LOGIN_LIMIT_MS,
      keepaliveInterval: PING_EVERY_MS,
      // `watchSilence` detects dead links instead: a reply may be late behind bulk data, and the link is only busy then.
      keepaliveCountMax: Number.POSITIVE_INFINITY,
      algorithms: { ...ALGORITHMS, serverHostKey: orderedHostKeys(knownKeyTypes(keys, place.address, place.port)) },
      hostVerifier: (blob: Buffer) => {
        request.onKey(blob);
        hostKey = fingerprintOf(blob);
        verdict = judgeKey(keys, place, blob);
        return verdict.verdict === 'trusted';
      },
      authHandler: (allowed: AuthenticationType[] | null, _partial, next) => {
        const method = credentials.next(allowed);
        // ssh2 accepts false for "nothing left", which is missing in its typings.
        next(method as Exclude<typeof method, false>);
      },
    });
    request.socket.once('data', (chunk: Buffer) => {
      received = chunk.toString('latin1', 0, 256);
    });
  });
}

function connectionOf(
  client: Client,
  place: Place,
  known: Pick<Connection, 'trustedBy' | 'hostKey'>,
  request: ConnectRequest,
): Connection {
  let lost: KneepointError | undefined;
  let closedHere = false;
  const lostByOthers = () => (closedHere ? undefined : lost);
  const listeners = new Set<(problem: KneepointError) => void>();
  const lose = (why: string) => {
    if (lost) return;
    lost = lostProblem(place.host, why);
    clearInterval(timer);
    for (const listener of listeners) listener(lost);
  };
  const timer = watchSilence(request.received, () => {
    lose('the host has been silent for 8 s');
    request.socket.destroy();
  });
  client.on('error', (error) => lose(detailsOf(error).message));
  client.once('close', () => lose('the host or the network closed it'));
  const channel = (open: (done: (error: Error | undefined, channel: ClientChannel) => void) => void) =>
    new Promise<ClientChannel>((resolve, reject) => {
      if (lost) return reject(lost);
      try {
        open((error, opened) => (error ? reject(lost ?? error) : resolve(opened)));
      } catch (error) {
        // ssh2 throws "Not connected" between the end of the socket and its close event.
        reject(lost ?? lostProblem(place.host, detailsOf(error).message));
      }
    });
  return {
    ...known,
    shell: (command) => channel((done) => client.exec(command, done)),
    forward: async (address, port) =>
      new ForwardedStream(
        await channel((done) => client.forwardOut('127.0.0.1', 0, address, port, done)),
        lostByOthers,
      ),
    forwardSocket: async (path) =>
      new ForwardedStream(await channel((done) => client.openssh_forwardOutStreamLocal(path, done)), lostByOthers),
    lost: () => lost,
    onLost(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closedHere = true;
      lose('it was closed here');
      client.end();
    },
  };
}

function orderedHostKeys(known: readonly string[]): ServerHostKeyAlgorithm[] {
  const isKnown = (name: string) => known.includes(name.startsWith('rsa-sha2') ? 'ssh-rsa' : name);
  return [...HOST_KEYS.filter(isKnown), ...HOST_KEYS.filter((name) => !isKnown(name))];
}

function isAuthError(error: unknown): boolean {
  const { level, message } = detailsOf(error);
  return level === 'client-authentication' || /too many authentication failures/i.test(message);
}

/** Seconds of silence after which a link counts as dead: three pings without a single byte in return. */
const SILENT_TICKS = 8;
const TICK_MS = 1_000;

/**
 * Calls `onSilent` when no byte has arrived for 8 s. Counts ticks instead of time, so the link gets a fair chance after this computer was
 * asleep.
 */
export function watchSilence(received: () => number, onSilent: () => void): NodeJS.Timeout {
  let before = received();
  let silent = 0;
  const timer = setInterval(() => {
    const now = received();
    silent = now === before ? silent + 1 : 0;
    before = now;
    if (silent >= SILENT_TICKS) onSilent();
  }, TICK_MS);
  timer.unref();
  return timer;
}
