import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { BeforeTrial } from '../../../../shared/model/measure.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Step } from '../../plans/index.ts';
import type { RunsContext } from '../../runs/index.ts';
import { targetByKind } from '../../targets/index.ts';

type Place = Pick<Step, 'target' | 'generators'>;

/** The host of a cell's server; a cell without target is measured on its generators. Throws `change-not-possible` if the host is unknown. */
export function serverHosts(
  { targets }: Pick<RunsContext, 'targets'>,
  { target, generators }: Place,
): readonly string[] {
  if (target === undefined) return generators;
  const { kind, via, server } = targets.spec(target);
  if (server) return [server.host];
  if (targetByKind(kind).via === 'place') return [via ?? LOCAL_HOST_NAME];
  throw new KneepointError({
    code: 'change-not-possible',
    message: `The server host of “${target}” is unknown.`,
    target,
    safe: 'The tool was not started.',
    next: 'Set the server host in the target, or remove the entries for it under measure.before.',
  });
}

/** Hosts whose caches are dropped, each once. */
export function cacheHosts(
  context: Pick<RunsContext, 'targets'>,
  place: Place,
  caches: BeforeTrial['caches'] = 'none',
): readonly string[] {
  if (caches === 'none') return [];
  const servers = caches === 'generators' ? [] : serverHosts(context, place);
  const generators = caches === 'server' ? [] : place.generators;
  return [...new Set([...servers, ...generators])];
}

/** The target of a cell, for an action on it. Throws `change-not-possible` if it has none. */
export function requireTarget({ target }: Place, what: string): string {
  if (target !== undefined) return target;
  throw new KneepointError({
    code: 'change-not-possible',
    message: `This workload has no target ${what}.`,
    safe: 'The tool was not started.',
    next: 'Remove it under measure.before.',
  });
}
