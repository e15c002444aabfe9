import { deflateRawSync } from 'node:zlib';
import type { HostFacts } from '../../../shared/model/host.ts';
import {
  type FactsSnapshot,
  type SessionSnapshot,
  type StoredTable,
  storedTargets,
  type TargetFacts,
  targetsOf,
} from '../../../shared/model/session-snapshot.ts';
import { proxyName, startedWords, type TargetDescription } from '../../../shared/model/target.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { type KnownStep, leastDurability, stepsOfCells } from '../plans/index.ts';
import {
  nodesOf,
  type RunsContext,
  serverTarget,
  toolOf,
  untilReachable,
  untilTargetReachable,
  type Waiting,
} from '../runs/index.ts';
import { targetByKind } from '../targets/index.ts';
import type { TargetSession } from '../targets/target.ts';
import type { Tool } from '../tools/tool.ts';
import { type ProxyLimits, readProcess, readProxyLimits } from './server-process.ts';

/** Adds access to facts of hosts. */
export interface FactsContext extends RunsContext {
  /** Reads facts and tool inventory of a host; not cached. */
  readFacts(machine: Machine, signal?: AbortSignal): Promise<HostFacts>;
  version: string;
}

type HostWithFacts = FactsSnapshot['hosts'][number];

/** Reads the facts of hosts and servers at a session's start. */
export async function readStartFacts(
  context: FactsContext,
  { tools, targets }: { tools: readonly Tool[]; targets: readonly string[] },
  machines: readonly Machine[],
  waiting: Waiting,
): Promise<FactsSnapshot> {
  const { signal } = waiting;
  const hosts = await Promise.all(
    machines.map((machine) =>
      untilReachable(machine, waiting, async () => ({
        name: machine.name,
        facts: await context.readFacts(machine, signal),
      })),
    ),
  );
  const described = await Promise.all(
    targets.map(async (name) => {
      const facts = await untilTargetReachable(context, name, waiting, () => describeTarget(context, name, signal));
      return { ...facts, ...(await roundTripsTo(context, name, machines, signal)) };
    }),
  );
  return factsSnapshot(context, tools, hosts, described);
}

/** Round-trip time from each generator to the target. Empty if no generator could measure it. */
async function roundTripsTo(
  context: Pick<FactsContext, 'targets'>,
  name: string,
  machines: readonly Machine[],
  signal: AbortSignal,
): Promise<Pick<TargetFacts, 'roundTrips'>> {
  const { host, port, socket } = await context.targets.connection(name);
  if (host === undefined || port === undefined || socket !== undefined) return {};
  const trips = await Promise.all(
    machines.map(async (machine) => ({ from: machine.name, ms: await roundTripMs(machine, { host, port }, signal) })),
  );
  const known = trips.flatMap(({ from, ms }) => (ms === undefined ? [] : [{ from, ms }]));
  return known.length > 0 ? { roundTrips: known } : {};
}

/** The state at the start: facts of every generator, versions of the tools, and facts of the servers. */
export function factsSnapshot(
  context: Pick<FactsContext, 'version'>,
  tools: readonly Tool[],
  hosts: readonly HostWithFacts[],
  targets: readonly TargetFacts[],
): FactsSnapshot {
  const versions = tools.flatMap(({ id, partOfApp }) => {
    const found = partOfApp
      ? [context.version]
      : hosts.flatMap(({ facts }) => facts?.tools.find(({ tool }) => tool === id)?.version ?? []);
    // A single version needs no name: it is shown after its tool.
    return tools.length > 1 ? found.map((version) => `${id} ${version}`) : found;
  });
  return {
    hosts: [...hosts],
    ...(versions.length > 0 && { toolVersion: [...new Set(versions)].join(', ') }),
    ...storedTargets(targets),
  };
}

/**
 * Reads the facts of tables after those of the first cells have been made: how they are stored decides what a power failure can lose, and
 * their size is known only now. Undefined if no target has facts about tables.
 */
export async function readTables(
  context: FactsContext,
  snapshot: SessionSnapshot,
  waiting: Waiting,
): Promise<FactsSnapshot | undefined> {
  const { hosts, toolVersion, places } = snapshot;
  const before = targetsOf(snapshot);
  if (!before.some(({ description, tables }) => description?.storage || tables)) return undefined;
  const steps = stepsOfCells(snapshot, (id) => toolOf(context, id));
  const now = await Promise.all(
    before.map(async (target) => {
      if (!target.description?.storage && !target.tables) return target;
      const { name, roundTrips } = target;
      const read = async (): Promise<TargetFacts> => ({
        ...(await describeTarget(context, name, waiting.signal)),
        ...(roundTrips && { roundTrips }),
      });
      return withDurability(steps, await untilTargetReachable(context, name, waiting, read));
    }),
  );
  return {
    hosts,
    ...(toolVersion !== undefined && { toolVersion }),
    ...storedTargets(now),
    ...(places && { places }),
  };
}

function withDurability(steps: readonly KnownStep[], target: TargetFacts): TargetFacts {
  const durability = leastDurability(steps, target);
  const { description } = target;
  return { ...target, ...(description && { description: { ...description, ...(durability && { durability }) } }) };
}

type Asked = Pick<FactsContext, 'targets' | 'machines' | 'readFacts'>;

/** Timeout for a server's host: no session depends on the result. */
const HOST_TIMEOUT_MS = 15_000;

/** Undefined if the server's host is unknown or cannot be asked. */
async function hostFactsOf(
  { machines, readFacts }: Asked,
  host: string | undefined,
  signal: AbortSignal,
): Promise<HostFacts | undefined> {
  if (host === undefined) return undefined;
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(HOST_TIMEOUT_MS)]);
    return await readFacts(machines.get(host), timeout);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** How the server's process was started. Undefined if its host cannot be asked, or does not show it. */
async function processOf(
  { machines }: Asked,
  { kind, host, port }: { kind: string; host: string | undefined; port: number | undefined },
  signal: AbortSignal,
): Promise<TargetFacts['process']> {
  if (host === undefined) return undefined;
  const { monitoring, managed } = targetByKind(kind);
  try {
    const programs = monitoring?.processes ?? managed?.programs ?? [];
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(HOST_TIMEOUT_MS)]);
    return await readProcess(machines.get(host), { programs, port }, timeout);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** How a target's server runs now. */
export async function processNow(context: Asked, target: string, signal: AbortSignal): Promise<TargetFacts['process']> {
  const { kind, server } = context.targets.spec(target);
  const { port } = await context.targets.connection(target);
  return processOf(context, { kind, host: server?.host, port }, signal);
}

/** Number of tables stored with the session, and number of tables whose rows are sampled. */
const TABLES_KEPT = 50;
const TABLES_SAMPLED = 5;
const ROWS_SAMPLED = 200;

/**
 * The largest tables, and how well their first rows can be compressed. Undefined if the server does not report them, or not to this
 * account.
 */
async function storedTables(session: TargetSession, signal: AbortSignal): Promise<TargetFacts['tables']> {
  try {
    const { tables = [] } = (await session.sizes?.()) ?? {};
    const kept: StoredTable[] = [];
    for (const { name, bytes, rows } of tables.slice(0, TABLES_KEPT)) {
      const first = kept.length < TABLES_SAMPLED ? await session.firstRows?.(name, ROWS_SAMPLED) : undefined;
      kept.push({ name, bytes, ...(rows !== undefined && { rows }), ...(first && { sample: sampleOf(first) }) });
    }
    return session.sizes ? kept : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function sampleOf(rows: readonly string[]): NonNullable<StoredTable['sample']> {
  const text = rows.join('\n');
  return {
    rows: rows.length,
    bytes: Buffer.byteLength(text),
    packed: rows.length === 0 ? 0 : deflateRawSync(text).length,
  };
}

/**
 * Reads the facts of a target and of its nodes. A node that does not respond has only its name and address: the others may carry the load
 * without it.
 */
export async function describeTarget(context: Asked, name: string, signal: AbortSignal): Promise<TargetFacts> {
  const [own, ...nodes] = await Promise.all([
    describeOne(context, name, signal),
    ...nodesOf(context, name).map((node) => describeNode(context, node, signal)),
  ]);
  return nodes.length === 0 ? own : { ...own, nodes };
}

async function describeNode(context: Asked, name: string, signal: AbortSignal): Promise<TargetFacts> {
  try {
    return await describeOne(context, name, AbortSignal.any([signal, AbortSignal.timeout(HOST_TIMEOUT_MS)]));
  } catch {
    signal.throwIfAborted();
    const { kind } = context.targets.spec(name);
    const { host, port } = context.targets.shown(name) ?? {};
    return { name, kind, ...(host !== undefined && { address: `${host}:${port}` }) };
  }
}

/**
 * Reads the facts of a target. For a proxy, these are the facts of the server behind it, which is asked directly, and of the proxy itself.
 */
async function describeOne(context: Asked, name: string, signal: AbortSignal): Promise<TargetFacts> {
  const { kind, server: place } = context.targets.spec(name);
  const { host, port, socket, path } = await context.targets.connection(name);
  const address = host !== undefined ? `${host}${port === undefined ? '' : `:${port}`}` : (socket ?? path);
  const behind = serverTarget(context, name);
  const ofServer = await describeServer(context, behind, signal);
  const known = { name, kind, ...(address !== undefined && { address }) };
  if (behind === name) return { ...known, ...ofServer };
  const near = await described(context, name, signal);
  const limits = place && port !== undefined ? await proxyLimitsOn(context, place.host, port, signal) : undefined;
  const { description } = ofServer;
  return {
    ...known,
    ...ofServer,
    behind,
    ...(place && { proxy: { host: place.host, started: startedWords(place.control) } }),
    ...(description &&
      near && {
        description: withProxyEncryption(
          description,
          near,
          limits ?? { product: proxyName(place?.control), settings: [] },
        ),
      }),
  };
}

const isTls = ({ name }: TargetDescription['settings'][number]): boolean => name === 'tls';

/** The server's facts with the encryption of the tools' connections, which ends at the proxy. */
const withProxyEncryption = (
  server: TargetDescription,
  { settings, tls, encrypted, tlsLibrary, middleware }: TargetDescription,
  { product = 'a proxy', settings: limits }: { product: string | undefined; settings: ProxyLimits['settings'] },
): TargetDescription => ({
  ...server,
  settings: [...server.settings.filter((setting) => !isTls(setting)), ...settings.filter(isTls)],
  ...{ tls, encrypted, tlsLibrary },
  middleware: middleware ?? { product, settings: limits },
});

/** Undefined if the host of the proxy cannot be asked, or does not show them. */
async function proxyLimitsOn(
  { machines }: Asked,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<ProxyLimits | undefined> {
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(HOST_TIMEOUT_MS)]);
    return await readProxyLimits(machines.get(host), port, timeout);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function described(
  { targets }: Asked,
  name: string,
  signal: AbortSignal,
): Promise<TargetDescription | undefined> {
  const connection = await targets.open(name, signal);
  try {
    return await connection?.describe();
  } finally {
    await connection?.close();
  }
}

async function describeServer(
  context: Asked,
  name: string,
  signal: AbortSignal,
): Promise<Omit<TargetFacts, 'name' | 'kind'>> {
  const { kind, server } = context.targets.spec(name);
  const { port } = await context.targets.connection(name);
  const connection = await context.targets.open(name, signal);
  try {
    const hostFacts = await hostFactsOf(context, server?.host, signal);
    const description = await connection?.describe();
    const settings = await connection?.settings?.();
    const tables = connection && (await storedTables(connection, signal));
    const process = await processOf(context, { kind, host: server?.host, port }, signal);
    return {
      ...(server && { server: { host: server.host, started: startedWords(server.control) } }),
      ...(hostFacts && { hostFacts }),
      ...(process && { process }),
      ...(tables && { tables }),
      ...(description && { description }),
      ...(settings && { settings }),
    };
  } finally {
    await connection?.close();
  }
}

/** Parses the machine's kernel data of an open connection: `rtt:0.041/0.02 … minrtt:0.041`, milliseconds. */
const ofConnection = (text: string): number | undefined => {
  const found = [...text.matchAll(/\b(minrtt|rtt):([\d.]+)/g)].map(([, what, ms]) => ({ what, ms: Number(ms) }));
  const least = found.filter(({ what }) => what === 'minrtt');
  const all = (least.length > 0 ? least : found).map(({ ms }) => ms).filter((ms) => ms > 0);
  return all.length > 0 ? Math.min(...all) : undefined;
};

/** `rtt min/avg/max/mdev = 0.026/0.031/0.040/0.006 ms`, and the formats of BusyBox and macOS. */
const ofPing = (text: string): number | undefined => {
  const [, least] = /min\/avg\/max[^=]*= ([\d.]+)\//.exec(text) ?? [];
  return least === undefined ? undefined : Number(least);
};

/**
 * Smallest round trip from a machine to an address in milliseconds, from its kernel's timing of a connection, else from three pings.
 * Undefined if it reports none. Does not include the distance between Kneepoint and the machine.
 */
export async function roundTripMs(
  machine: Machine,
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const connection = await machine.dial(host, port, 'preflight');
    try {
      const to = host.includes(':') ? `dport = :${port}` : `dst ${host}:${port}`;
      const script = `ss -tinH state established ${shellQuote(to)} 2>/dev/null; echo ---; ping -c 3 -q ${shellQuote(host)} 2>/dev/null; exit 0`;
      const { stdout } = await machine.exec(script, { signal, timeoutMs: 15_000 });
      const [connections = '', pings = ''] = stdout.split('---\n');
      return ofConnection(connections) ?? ofPing(pings);
    } finally {
      connection.destroy();
    }
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
