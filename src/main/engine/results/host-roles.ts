import type { HostRole } from '../../../shared/model/monitored.ts';
import type { Source, SourceAbout } from '../store/store.ts';
import type { EvidenceFacts } from './evidence.ts';

/**
 * A host as it is in the cell of a run: where generators or targets are a factor, those of other cells are idle. Of whom no place is known, or of a
 * tool whose generators are not, the session speaks.
 */
export function inThisCell(source: Source, { load, target }: EvidenceFacts, servers: readonly Source[]): Source {
  const { roles, ...about } = source.about ?? {};
  if (!roles) return source;
  const placesOf = (isOwn: boolean): string[] =>
    servers.flatMap((server) => ((server.name === target) === isOwn ? (server.about?.place ?? []) : []));
  const [own, others] = [placesOf(true), placesOf(false)];
  const isIdle: Partial<Record<HostRole, boolean>> = {
    generator: load.length > 0 && !load.some(({ host }) => host === source.name),
    server: own.length > 0 && others.includes(source.name) && !own.includes(source.name),
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
