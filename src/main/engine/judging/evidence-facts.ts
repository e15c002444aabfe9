import type { MetServer } from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { HostRole } from '../../../shared/model/monitored.ts';
import type { Source, SourceAbout } from '../store/store.ts';

/** What is known of a run's session beside its samples, as far as it is known. */
export interface EvidenceFacts {
  hosts: readonly { name: string; facts?: HostFacts | undefined }[];
  /** The target of the run: that of the server, where it is a proxy. */
  target?: string;
  /** The proxy that the run goes through, by its target. */
  proxy?: string;
  /** There is no target: the tool measures the hosts that it runs on. */
  onItsOwnHost?: true;
  /** What the tool does at the same time, on each generator. */
  load: readonly { host: string; threads?: number; connections?: number }[];
  /** Operations a second that the workload holds; absent: as fast as it goes. */
  wanted?: number;
  /** A script of it waits between its statements. */
  pauses?: true;
  /** How the tool hands I/Os to the disks that it measures by itself. */
  io?: { queueDepth: number; asynchronous?: true };
  /** What the volumes of the server's hosts are paid for, each of them. */
  volume?: VolumeLimits;
  /** The server that it met, where there is one that can be watched. */
  met?: MetServer;
  /** Its document switches off watching something. */
  switchedOff?: true;
  /** Targets of the run: what the workload uses of them, and what their own cache holds. */
  targets?: readonly { name: string; dataMib?: number; cacheMib?: number }[];
}

/**
 * A host as it is in the cell of a run: where generators or targets are a factor, those of other cells are idle. Of whom no place is known, or of a
 * tool whose generators are not, the session speaks.
 */
export function inThisCell(source: Source, { load, target, proxy }: EvidenceFacts, servers: readonly Source[]): Source {
  const { roles, ...about } = source.about ?? {};
  if (!roles) return source;
  const placesOf = (isOwn: boolean): string[] =>
    servers.flatMap((server) => ((server.name === target) === isOwn ? (server.about?.place ?? []) : []));
  const [own, others] = [placesOf(true), placesOf(false)];
  const isIdle: Partial<Record<HostRole, boolean>> = {
    generator: load.length > 0 && !load.some(({ host }) => host === source.name),
    server: own.length > 0 && others.includes(source.name) && !own.includes(source.name),
    // Direct and through a proxy in one session: it is idle in cells that do not go through it.
    proxy: proxy === undefined && target !== undefined,
  };
  return { ...source, about: { ...about, roles: roles.filter((role) => !isIdle[role]) } };
}

/** What a host does in the run: where the tool measures the host that it runs on, its work is that of the system under test. */
export function measuredAbout({ about }: Source, onItsOwnHost = false): Pick<SourceAbout, 'roles' | 'programs'> {
  if (!about || !onItsOwnHost) return about ?? {};
  const { roles = [], programs } = about;
  return {
    roles: [...new Set(roles.map((role) => (role === 'generator' ? 'server' : role)))],
    ...(programs && { programs: { tool: [], server: [...programs.tool, ...programs.server] } }),
  };
}
