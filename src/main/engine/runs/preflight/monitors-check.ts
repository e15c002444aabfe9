import type { Finding } from '../../../../shared/model/finding.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import { placesOf } from '../../plans/index.ts';
import type { RunsContext } from '../context.ts';
import { type Watched, watchedIn } from '../monitors/wanted.ts';
import type { Knowledge } from './knowledge.ts';

const PATIENCE_MS = 20_000;

/** What this start would watch beside the tool; undefined: nothing, or a target that is not there, which has a check of its own. */
export function watchedBy(context: RunsContext, { experiment, tool }: Knowledge): Watched | undefined {
  const { host, command, servers } = context.monitors;
  const places = placesOf(experiment, tool);
  if (places.targets.some((name) => context.store.targets.byName(name) === undefined)) return undefined;
  const all = watchedIn(context, experiment, places);
  const watched = {
    hosts: host ? all.hosts : [],
    servers: servers ? all.servers : [],
    statements: servers ? all.statements : [],
    commands: command ? all.commands : [],
  };
  return Object.values(watched).some((part) => part.length > 0) ? watched : undefined;
}

/** Whether the hosts can be reached. One that cannot is not watched: that is no reason not to measure. */
export async function lookAtWatched(
  context: RunsContext,
  { generators }: Knowledge,
  watched: Watched,
  signal: AbortSignal,
): Promise<Finding[]> {
  const reached = generators.map(({ machine }) => machine.name);
  const named = [...watched.hosts.map(({ name }) => name), ...watched.commands.map(({ host }) => host)];
  const others = [...new Set(named)].filter((name) => !reached.includes(name));
  const looks = others.map(async (name): Promise<Finding[]> => {
    try {
      await context.machines.get(name).exec('exit 0', { signal, timeoutMs: PATIENCE_MS });
      return [];
    } catch (error) {
      return [
        {
          code: 'not-watched',
          severity: 'warn',
          message: `“${name}” cannot be watched now: ${problemOf(error).message}`,
          next: 'The session starts all the same, and watches the host from when it can be reached.',
        },
      ];
    }
  });
  return (await Promise.all(looks)).flat();
}

/** “host “db1” · server “shop-db” · statement “InnoDB””, a piece for each kind. */
export function watchedPieces({ hosts, servers, statements, commands }: Watched): string[] {
  const piece = (one: string, many: string, names: readonly string[]): string[] =>
    names.length === 0
      ? []
      : [`${names.length === 1 ? one : many} ${[...new Set(names)].map((name) => `“${name}”`).join(', ')}`];
  const namesOf = (entries: readonly { name: string }[]): string[] => entries.map(({ name }) => name);
  return [
    ...piece('host', 'hosts', namesOf(hosts)),
    ...piece('server', 'servers', namesOf(servers)),
    ...piece('statement', 'statements', namesOf(statements)),
    ...piece('command', 'commands', namesOf(commands)),
  ];
}
