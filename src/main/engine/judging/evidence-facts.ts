import type { MetServer } from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { HostRole } from '../../../shared/model/monitored.ts';
import type { Source, SourceAbout } from '../store/store.ts';

/** Facts about a run's session other than its samples, as far as known. */
export interface EvidenceFacts {
  hosts: readonly { name: string; facts?: HostFacts | undefined }[];
  /** The target of the run; behind a proxy, that of the server. */
  target?: string;
  /** The proxy that the run goes through, by its target. */
  proxy?: string;
  /** Nodes of the same cluster, by their targets; behind proxies, those of the servers. */
  nodes?: readonly string[];
  /** There is no target: the tool measures the hosts that it runs on. */
  onItsOwnHost?: true;
  /** Concurrency of the tool on each generator. */
  load: readonly { host: string; threads?: number; connections?: number }[];
  /** Operations per second that the workload holds; absent: as fast as possible. */
  wanted?: number;
  /** A script of it waits between its statements. */
  pauses?: true;
  /** How the tool submits I/Os to the disks that it measures directly. */
  io?: { queueDepth: number; asynchronous?: true };
  /** Paid limits of each volume of the server's hosts. */
  volume?: VolumeLimits;
  /** The measured server, if it can be monitored. */
  met?: MetServer;
  /** The document turns off some monitoring. */
  switchedOff?: true;
  /** Targets of the run: data size of the workload, and size of their own cache. */
  targets?: readonly { name: string; dataMib?: number; cacheMib?: number }[];
}

/**
 * A host with its roles in the cell of a run: if generators or targets are a factor, those of other cells are idle. If the place of a server is
 * unknown, or the generators of the tool are unknown, the roles in the session apply.
 */
export function inThisCell(
  source: Source,
  { load, target, proxy, nodes = [] }: EvidenceFacts,
  servers: readonly Source[],
): Source {
  const { roles, ...about } = source.about ?? {};
  if (!roles) return source;
  const placesOf = (isOwn: boolean): string[] =>
    servers.flatMap(({ name, about: at }) =>
      (name === target || nodes.includes(name)) === isOwn ? (at?.place ?? []) : [],
    );
  const [own, others] = [placesOf(true), placesOf(false)];
  const isIdle: Partial<Record<HostRole, boolean>> = {
    generator: load.length > 0 && !load.some(({ host }) => host === source.name),
    server: own.length > 0 && others.includes(source.name) && !own.includes(source.name),
    // A session with direct and proxied cells: the proxy is idle in cells that do not use it.
    proxy: proxy === undefined && target !== undefined,
  };
  return { ...source, about: { ...about, roles: roles.filter((role) => !isIdle[role]) } };
}

/** Roles of a host in the run: if the tool measures the host that it runs on, its work is that of the system under test. */
export function measuredAbout({ about }: Source, onItsOwnHost = false): Pick<SourceAbout, 'roles' | 'programs'> {
  if (!about || !onItsOwnHost) return about ?? {};
  const { roles = [], programs } = about;
  return {
    roles: [...new Set(roles.map((role) => (role === 'generator' ? 'server' : role)))],
    ...(programs && { programs: { tool: [], server: [...programs.tool, ...programs.server] } }),
  };
}
