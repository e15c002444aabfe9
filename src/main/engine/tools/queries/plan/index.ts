import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { randomFrom } from '../../../../../shared/util/numbers.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import type { QueryOptions } from '../options.ts';
import { Connection, type Settings } from '../program/settings.ts';
import { fillIn, readQuerySet, readValues, refused, variantOf } from './query-set.ts';

/** The program with its drivers, relative to the app's folder. */
export const PROGRAM = 'dist/main/queries.mjs';

/** Throws `experiment-invalid` for a target that the program does not support. */
export function connectionOf(facts: ConnectionFacts): Connection {
  const read = Connection.safeParse(facts);
  if (read.success) return read.data;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `Timed queries need a target that speaks the protocol of MySQL, PostgreSQL, MongoDB or ClickHouse, not one of kind ${facts.kind}.`,
    safe: 'Nothing was started and no statement was sent.',
    next: 'Choose such a target.',
  });
}

/** The command that runs the program with these settings. */
export const programCommand = (
  { nodePath, assetsDir }: Pick<PlanInput<unknown>, 'nodePath' | 'assetsDir'>,
  settings: Settings,
): Command => ({
  argv: [nodePath, '@queries.mjs@', '@settings.json@'],
  env: {},
  programs: [{ name: 'queries.mjs', path: `${assetsDir.replace(/[\\/]+$/, '')}/${PROGRAM}` }],
  files: [{ name: 'settings.json', content: JSON.stringify(settings), mode: 0o600, secret: true }],
  // The duration of a set-up or an execution is unknown.
  plannedSeconds: 0,
});

/** Concurrent connections. Undefined: a single one that executes one variant, as without these options. */
export const clientsOf = ({ clients, streams }: Pick<QueryOptions, 'clients' | 'streams'>): number | undefined =>
  clients ?? streams;

/** Throws `experiment-invalid` for incompatible options. */
function checkStreams({ clients = 1, streams, variant }: QueryOptions): void {
  if (streams === undefined) return;
  if (variant !== undefined)
    throw refused(
      'The option “variant” is set, but streams execute all variants.',
      'Remove the option “variant” or “streams”.',
    );
  if (clients > streams)
    throw refused(
      `${clients} clients share ${streams} ${streams === 1 ? 'stream' : 'streams'}: some would do nothing.`,
      'Set at most as many clients as streams.',
    );
}

/**
 * The order of `count` queries in each stream: as written in the first one, otherwise shuffled by the stream's number, and thus the same in each run.
 */
function ordersOf(count: number, streams: number): number[][] {
  const written = Array.from({ length: count }, (_, place) => place);
  return Array.from({ length: streams }, (_, stream) => {
    if (stream === 0) return written;
    const random = randomFrom(stream);
    const keys = written.map(() => random());
    return [...written].sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0));
  });
}

/** Commands for a set of queries. Throws `experiment-invalid` if it is invalid or its values do not fit. */
export function planQueries({
  options,
  connection,
  warmup,
  duration,
  nodePath,
  assetsDir,
}: PlanInput<QueryOptions>): ToolPlan {
  const facts = connectionOf(connection);
  const values = readValues(options.values, options['values-2'], options['values-3']);
  const set = fillIn(readQuerySet(options.queries), values);
  const variant = variantOf(set, options.variant);
  const [first] = set.variants;
  const clients = clientsOf(options);
  checkStreams(options);
  const command = (settings: Settings): Command => programCommand({ nodePath, assetsDir }, settings);
  const statements = (texts: readonly string[], clearing = false): Command =>
    command({ step: 'statements', connection: facts, statements: [...texts], ...(clearing && { clearing }) });
  return {
    ...(set.prepare.length > 0 && { prepare: statements(set.prepare) }),
    run: command({
      step: 'run',
      connection: facts,
      seconds: warmup + duration,
      executions: options.executions,
      discard: options.discard,
      rowOrder: options['row-order'],
      serverPlan: options['server-plan'],
      setUp: set.setUp,
      tearDown: set.tearDown,
      variant,
      ...(options.agreement !== 'none' && first && first.name !== variant.name && { reference: first }),
      facts: set.facts,
      ...(clients !== undefined && { clients }),
      ...(options.streams !== undefined && {
        list: { variants: set.variants, streams: ordersOf(set.variants.length, options.streams) },
      }),
    }),
    ...(set.cleanUp.length > 0 && { cleanup: statements(set.cleanUp, true) }),
  };
}
