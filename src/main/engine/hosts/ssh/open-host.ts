import type { Duplex } from 'node:stream';
import type { HostSpec, SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { Gate } from './channels.ts';
import { openConnection } from './connection.ts';
import { prepareCredentials, type SecretOf } from './credentials.ts';
import { judgeKey, type KeySource } from './host-keys.ts';
import type { Latch, Link, Opened } from './link.ts';
import { connectProblem, hopProblem, type Place, viaProblem, wasRejected } from './link-problems.ts';
import { connectTcp } from './sockets.ts';

/** By default, sshd starts to drop connections when 10 are not logged in yet (MaxStartups 10:30:100). */
const HANDSHAKES_AT_ONCE = 8;
const REJECTED_RETRIES = 2;

/** A host as currently saved in the library. */
export interface HostEntry {
  spec: HostSpec;
  secret?: SecretOf;
}

export interface OpenContext {
  keys: KeySource;
  agentSocket: () => string | undefined;
  /** One gate per address, shared by all links. */
  gates: Map<string, Gate>;
}

/** The host before the last hop, if there is one. */
export interface Hop {
  name: string;
  link: Link;
}

/** One attempt to reach and log in to a host, directly or through the previous hop. */
export async function openHost(
  spec: SshHostSpec,
  secret: SecretOf,
  hop: Hop | undefined,
  context: OpenContext,
  attempt: { limitMs: number; latch: (latch: Latch) => void },
): Promise<Opened> {
  const place: Place = { host: spec.name, address: spec.address, port: spec.port };
  // Loaded before the socket exists, which would have no listener meanwhile.
  const { default: ssh2 } = await import('ssh2');
  const credentialsFor = await prepareCredentials(ssh2, spec, secret, context.agentSocket());
  const releaseGate = await gateOf(context.gates, hop, place).enter();
  let shown: Buffer | undefined;
  const login = async (): Promise<Opened> => {
    const reached = hop ? await socketThrough(hop, place) : await socketTo(place, attempt.limitMs);
    const connection = await openConnection(ssh2, {
      place,
      user: spec.user,
      socket: reached.socket,
      received: reached.received,
      credentials: credentialsFor(),
      keys: context.keys,
      onKey: (blob) => {
        shown = blob;
      },
    });
    return { connection, roundTripMs: reached.roundTripMs };
  };
  try {
    return await retryWhenRejected(login);
  } catch (error) {
    const latch = latchFor(
      error,
      () => shown !== undefined && judgeKey(context.keys, place, shown).verdict !== 'trusted',
    );
    if (latch && latch.problem.problem.host === spec.name) attempt.latch(latch);
    throw error;
  } finally {
    releaseGate();
  }
}

/** sshd releases the place of a finished login a moment after the client knows about it, so even a paced login can be turned away. */
async function retryWhenRejected(login: () => Promise<Opened>): Promise<Opened> {
  for (let retriesLeft = REJECTED_RETRIES; ; retriesLeft -= 1) {
    try {
      return await login();
    } catch (error) {
      if (retriesLeft === 0 || !wasRejected(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
    }
  }
}

function latchFor(error: unknown, keyStillWrong: () => boolean): Latch | undefined {
  if (!(error instanceof KneepointError)) return undefined;
  if (error.code === 'host-auth-failed') return { problem: error, holds: () => true };
  if (error.code === 'host-key-unknown' || error.code === 'host-key-changed')
    return { problem: error, holds: keyStillWrong };
  return undefined;
}

function gateOf(gates: Map<string, Gate>, hop: Hop | undefined, place: Place): Gate {
  const address = `${hop?.name ?? ''} ${place.address}:${place.port}`;
  const gate = gates.get(address) ?? new Gate(HANDSHAKES_AT_ONCE);
  gates.set(address, gate);
  return gate;
}

interface Reached {
  socket: Duplex;
  received: () => number;
  roundTripMs: number;
}

async function socketTo(place: Place, limitMs: number): Promise<Reached> {
  try {
    const { socket, roundTripMs } = await connectTcp(place.address, place.port, limitMs);
    return { socket, received: () => socket.bytesRead, roundTripMs };
  } catch (error) {
    throw connectProblem(place, error);
  }
}

async function socketThrough(hop: Hop, place: Place): Promise<Reached> {
  const connection = await hop.link.connection().catch((error: unknown) => {
    throw error instanceof KneepointError ? viaProblem(place.host, hop.name, error) : error;
  });
  const begin = performance.now();
  try {
    const socket = await connection.forward(place.address, place.port);
    socket.once('close', hop.link.use());
    return { socket, received: () => socket.bytesIn, roundTripMs: performance.now() - begin };
  } catch (error) {
    throw hopProblem(place, hop.name, error);
  }
}
