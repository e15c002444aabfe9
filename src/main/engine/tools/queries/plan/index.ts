import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import type { QueryOptions } from '../options.ts';
import { Connection, type Settings } from '../program/settings.ts';
import { fillIn, readQuerySet, readValues, variantOf } from './query-set.ts';

/** The program with its drivers, below the folder of the app. */
export const PROGRAM = 'dist/main/queries.mjs';

/** Throws `experiment-invalid` for a target that the program does not speak to. */
export function connectionOf(facts: ConnectionFacts): Connection {
  const read = Connection.safeParse(facts);
  if (read.success) return read.data;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `Timed queries are sent to MySQL, PostgreSQL, MongoDB and ClickHouse and what speaks their protocols, not to a target of kind ${facts.kind}.`,
    safe: 'Nothing was started and no statement was sent.',
    next: 'Choose a target of one of these kinds.',
  });
}

/** The program with these settings. */
export const programCommand = (
  { nodePath, assetsDir }: Pick<PlanInput<unknown>, 'nodePath' | 'assetsDir'>,
  settings: Settings,
): Command => ({
  argv: [nodePath, '@queries.mjs@', '@settings.json@'],
  env: {},
  programs: [{ name: 'queries.mjs', path: `${assetsDir.replace(/[\\/]+$/, '')}/${PROGRAM}` }],
  files: [{ name: 'settings.json', content: JSON.stringify(settings), mode: 0o600, secret: true }],
  // Nobody knows how long a set-up or one execution takes.
  plannedSeconds: 0,
});

/** Steps of a set of queries. Throws `experiment-invalid` when it cannot be read or its values do not fit. */
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
    }),
    ...(set.cleanUp.length > 0 && { cleanup: statements(set.cleanUp, true) }),
  };
}
