import type { Experiment } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { HostRole } from '../../../shared/model/monitored.ts';
import type { CommandMonitor, StatementMonitor } from '../../../shared/model/monitors.ts';
import type { SessionStep } from '../../../shared/model/plan.ts';
import { PROXIES, proxyName } from '../../../shared/model/target.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import { nodesOf, type RunsContext, serverTarget, toolsOf } from '../runs/index.ts';
import { targetByKind } from '../targets/index.ts';
import type { Tool } from '../tools/tool.ts';

/** A monitored host, its roles in the session, and the names of its tool and server processes. */
export interface WatchedHost {
  name: string;
  roles: HostRole[];
  programs: { tool: readonly string[]; server: readonly string[] };
  /** Ports on which its servers listen. */
  ports: readonly number[];
  /** Ports on which its tool reaches servers. */
  serverPorts: readonly number[];
}

/** Everything that is monitored in a session except its tool. */
export interface Watched {
  hosts: readonly WatchedHost[];
  /** Targets whose servers are read, including proxies with figures of their own, each with its host if known. */
  servers: readonly { name: string; host?: string }[];
  statements: readonly StatementMonitor[];
  /** The target of the statements, and its host. */
  asked?: { name: string; host?: string } | undefined;
  commands: readonly (CommandMonitor & { host: string })[];
}

/** Hosts and servers that would explain a load, and are not monitored. */
export interface Unwatched {
  /** Generators that the document turns off. */
  generators: readonly string[];
  /** Hosts of servers that the document turns off. */
  places: readonly string[];
  /** Targets whose servers the document turns off. */
  servers: readonly string[];
  /** Targets without a known host. */
  nowhere: readonly string[];
}

/** Places that a session loads, and its steps. */
type Loaded = Readonly<Record<'generators' | 'targets', readonly string[]>> & {
  readonly steps: readonly Pick<SessionStep, 'tool'>[];
};

/** Follows the document; by default everything is on. Nodes of a target are monitored like the target itself. */
export function watchedIn(
  context: Pick<RunsContext, 'targets' | 'tools'>,
  experiment: Experiment,
  places: Loaded,
): Watched {
  const { monitors = {} } = experiment;
  const targets = [...new Set(places.targets.flatMap((name) => [name, ...nodesOf(context, name)]))];
  const tools = toolsOf(context, places.steps);
  const loading = tools.filter(({ watchesOnly }) => !watchesOnly);
  const direct = [...new Set(targets.map((name) => serverTarget(context, name)))];
  const proxies = proxiesOf(context, targets);
  const servers = direct.flatMap((name) => placeOf(context, name, places.generators));
  const serverPorts = [...new Set(targets.flatMap((name) => portsOf(context, name)))];
  const hosts = new Map<string, WatchedHost>();
  const watch = (
    name: string,
    role: HostRole,
    programs: Partial<WatchedHost['programs']> = {},
    ports: readonly number[] = [],
  ): void => {
    const known = hosts.get(name);
    const together = (of: 'tool' | 'server'): string[] => [
      ...new Set([...(known?.programs[of] ?? []), ...(programs[of] ?? [])]),
    ];
    const roles = [...new Set([...(known?.roles ?? []), role])];
    hosts.set(name, {
      name,
      roles,
      programs: { tool: together('tool'), server: together('server') },
      ports: [...new Set([...(known?.ports ?? []), ...ports])],
      serverPorts: roles.includes('generator') ? serverPorts : [],
    });
  };
  if (monitors.generators !== false)
    for (const name of places.generators)
      if (loading.length === 0) watch(name, 'other');
      else watch(name, 'generator', { tool: loading.flatMap(processesOf) });
  if (monitors.place !== false)
    for (const { host, target } of servers)
      watch(host, 'server', { server: serverProcesses(context, target) }, portsOf(context, target));
  if (monitors.place !== false)
    for (const { host, target } of proxies.flatMap((name) => placeOf(context, name, places.generators)))
      watch(host, 'proxy', { server: proxyProcesses(context, target) }, portsOf(context, target));
  for (const name of monitors.hosts ?? []) watch(name, 'other');
  const [firstPlace] = servers;
  const usual = firstPlace?.host ?? places.generators[0] ?? LOCAL_HOST_NAME;
  const asked = [...new Set([...direct, ...proxies.filter((name) => answersItself(context, name))])]
    .filter((name) => isServer(context, name))
    .map((name) => {
      const host = placeOf(context, name, places.generators)[0]?.host;
      return { name, ...(host !== undefined && { host }) };
    });
  const { target } = experiment.where;
  return {
    hosts: [...hosts.values()],
    servers: monitors.server === false ? [] : asked,
    asked: asked[0] ?? (target === undefined ? undefined : { name: target }),
    statements: monitors.statements ?? [],
    commands: (monitors.commands ?? []).map((command) => ({ ...command, host: command.host ?? usual })),
  };
}

/** Returns what could be monitored in addition; nothing for a tool without load. */
export function unwatchedIn(
  context: Pick<RunsContext, 'targets' | 'tools'>,
  experiment: Experiment,
  places: Loaded,
): Unwatched {
  if (toolsOf(context, places.steps).every(({ watchesOnly }) => watchesOnly))
    return { generators: [], places: [], servers: [], nowhere: [] };
  const { hosts, servers } = watchedIn(context, experiment, places);
  const isMissing = (name: string): boolean => !hosts.some((host) => host.name === name);
  const asked = [...new Set(places.targets.map((name) => serverTarget(context, name)))].filter((name) =>
    isServer(context, name),
  );
  const placed = asked.flatMap((name) => placeOf(context, name, places.generators));
  return {
    generators: places.generators.filter(isMissing),
    places: [...new Set(placed.map(({ host }) => host))].filter(isMissing),
    servers: asked.filter((name) => !servers.some((server) => server.name === name)),
    nowhere: asked.filter((name) => !placed.some(({ target }) => target === name)),
  };
}

/** Known hosts of a target's server: the one named by the user, or the generators if it is reached locally. */
function placeOf(
  { targets }: Pick<RunsContext, 'targets'>,
  target: string,
  generators: readonly string[],
): { host: string; target: string }[] {
  const { kind, via, server } = targets.spec(target);
  if (server) return [{ host: server.host, target }];
  if (targetByKind(kind).via === 'place') return [{ host: via ?? LOCAL_HOST_NAME, target }];
  const facts = targets.shown(target);
  const isLocal = facts?.socket !== undefined || (facts?.host !== undefined && isLoopback(facts.host));
  return isLocal ? generators.map((host) => ({ host, target })) : [];
}

/** Hosts that the server of a target may run on; one if it is known. */
export const hostsOfServer = (
  context: Pick<RunsContext, 'targets'>,
  target: string,
  generators: readonly string[],
): string[] => [...new Set(placeOf(context, serverTarget(context, target), generators).map(({ host }) => host))];

/** Proxies among these targets, and between them and their servers. */
function proxiesOf({ targets }: Pick<RunsContext, 'targets'>, names: readonly string[]): string[] {
  const found = new Set<string>();
  for (const first of names) {
    let name = first;
    for (let next = targets.spec(name).behind; next !== undefined && !found.has(name); ) {
      found.add(name);
      name = next;
      next = targets.spec(name).behind;
    }
  }
  return [...found];
}

/** Whether a proxy reports figures of its own over a connection: only for kinds that Kneepoint can read. */
const answersItself = ({ targets }: Pick<RunsContext, 'targets'>, name: string): boolean =>
  targetByKind(targets.spec(name).kind).managed?.pooler !== undefined;

/** Possible names of its process: by its control, else those of all known proxies. */
function proxyProcesses({ targets }: Pick<RunsContext, 'targets'>, name: string): string[] {
  const own = proxyName(targets.spec(name).server?.control);
  const known = Object.keys(PROXIES).filter((process) => own === undefined || PROXIES[process] === own);
  return known.length > 0 || own === undefined ? known : [own];
}

const isServer = ({ targets }: Pick<RunsContext, 'targets'>, name: string): boolean =>
  targetByKind(targets.spec(name).kind).monitoring !== undefined;

/** The port on which a server listens on its host, if its connection shows it. */
function portsOf({ targets }: Pick<RunsContext, 'targets'>, target: string): number[] {
  const port = targets.shown(target)?.port;
  return port === undefined ? [] : [port];
}

function processesOf({ id, probe, processes = [] }: Tool): string[] {
  const program = probe?.argv[0]?.split('/').at(-1);
  return [...new Set([program ?? id, id, ...processes])];
}

function serverProcesses({ targets }: Pick<RunsContext, 'targets'>, name: string): readonly string[] {
  const type = targetByKind(targets.spec(name).kind);
  return type.monitoring?.processes ?? type.managed?.programs ?? [];
}

/**
 * Whether the app's connection facts of a server apply on its host as well: an address of the machine itself does if the app connects through that
 * host. A client on this computer connects as the app does, unless the app connects via another host.
 */
export function isReachedOn({ targets }: Pick<RunsContext, 'targets'>, target: string, host: string): boolean {
  const { via } = targets.spec(target);
  if (host === LOCAL_HOST_NAME) return via === null || via === host;
  const { host: address, socket } = targets.shown(target) ?? {};
  return via === host || (socket === undefined && address !== undefined && !isLoopback(address));
}
