import type { StatementMonitor } from '../../../shared/model/monitors.ts';
import { statementsReader } from '../monitors/index.ts';
import type { MonitorRow } from '../monitors/monitor.ts';
import type { Source } from '../store/store.ts';
import type { MonitoringOf } from '../targets/target.ts';
import { ClientOnHost, type ClientWatch } from './client-on-host.ts';
import type { WatchingContext } from './context.ts';
import { ServerWatcher } from './server-watcher.ts';
import { noteRows, refusalOf, StatementWatch } from './statement-series.ts';

/** Between two queries over the app's connection for the reason of a failed statement. */
const EXPLAIN_EVERY_MS = 10_000;

/** A custom statement, and its source. */
export interface WatchedStatement {
  spec: StatementMonitor;
  source: Source;
  problem(message: string | undefined, how?: 'stopped' | 'in part'): void;
}

type StatementsOnHostWatch = Pick<ClientWatch, 'sessionId' | 'machine' | 'plannedSeconds' | 'target'> & {
  statements: readonly [WatchedStatement, ...WatchedStatement[]];
  statementLines: NonNullable<MonitoringOf['statementLines']>;
};

/**
 * Sends custom statements by the server's own client on its host, over a connection of their own: a slow one does not delay the server's counters.
 */
export function statementsOnHost(
  context: WatchingContext,
  { statements, statementLines, ...watch }: StatementsOnHostWatch,
  closing: AbortSignal,
): ClientOnHost {
  const { target, machine } = watch;
  const problems = statements.map(
    (statement) => new StatementProblem(context, { target, host: machine.name }, statement, closing),
  );
  const noted = noteRows(context, statements);
  return new ClientOnHost(
    context,
    {
      ...watch,
      source: statements[0].source,
      watched: statements.map(({ source }) => source),
      program: statementsReader(statementLines),
      prepare: async (session) => ({
        program: await session?.statementsOnHost?.(statements.map(({ spec }) => spec.statement)),
      }),
      coming: (rows) => {
        noted(rows);
        for (const [place, each] of problems.entries()) each.onRow(rows.findLast(({ of }) => of === place));
      },
      askDirectly: (why, signal) => statementsDirectly(context, { target, statements }, why, signal),
      problem: (message, how) => {
        for (const each of problems) each.host(message, how);
      },
    },
    closing,
  );
}

/** Sends them over the app's connection, and reports that for as long as it lasts. */
export function statementsDirectly(
  context: WatchingContext,
  { target, statements }: Pick<StatementsOnHostWatch, 'target'> & { statements: readonly WatchedStatement[] },
  why: string,
  signal: AbortSignal,
): ServerWatcher {
  const asked = statements.map(
    ({ spec, source, problem }) =>
      new StatementWatch(context, spec, source, (message) =>
        message === undefined ? problem(why, 'in part') : problem(`${why} ${message}`),
      ),
  );
  const problem = (message: string | undefined): void => {
    if (message !== undefined) for (const each of asked) each.failed(message);
  };
  return new ServerWatcher(context, { target, source: undefined, statements: asked, problem }, signal);
}

/** Problem of one statement: why its host cannot be read, else why it has no value. */
class StatementProblem {
  readonly #context: WatchingContext;
  readonly #at: { target: string; host: string };
  readonly #statement: WatchedStatement;
  readonly #ends: AbortSignal;
  #host: { message: string; how: 'stopped' | 'in part' | undefined } | undefined;
  #why: string | undefined;
  #isFailing = false;
  #explainedAt = Number.NEGATIVE_INFINITY;

  constructor(
    context: WatchingContext,
    at: { target: string; host: string },
    statement: WatchedStatement,
    ends: AbortSignal,
  ) {
    this.#context = context;
    this.#at = at;
    this.#statement = statement;
    this.#ends = ends;
  }

  host(message: string | undefined, how?: 'stopped' | 'in part'): void {
    this.#host = message === undefined ? undefined : { message, how };
    this.#report();
  }

  /** The newest row of it; undefined if there is none. */
  onRow(row: MonitorRow | undefined): void {
    if (!row) return;
    this.#isFailing = row.failed !== undefined;
    if (row.failed !== undefined) void this.#explain(row.failed);
    else {
      this.#why = undefined;
      this.#report();
    }
  }

  /** Asks over the app's connection for the reason: the client's message may belong to another statement. */
  async #explain(words: string): Promise<void> {
    const { clock, redact } = this.#context;
    if (clock.monotonic() - this.#explainedAt < EXPLAIN_EVERY_MS) return;
    this.#explainedAt = clock.monotonic();
    const onlyThere = words === '' ? undefined : `The client on ${this.#at.host} cannot run it: ${words}`;
    const why = await this.#refusal().then(
      (refusal) => refusal ?? onlyThere,
      () => words || undefined,
    );
    if (!this.#isFailing || this.#ends.aborted) return;
    this.#why = why === undefined ? undefined : redact(why);
    this.#report();
  }

  /** Undefined if the server accepts it from the app. */
  async #refusal(): Promise<string | undefined> {
    const session = await this.#context.targets.open(this.#at.target, this.#ends);
    try {
      await session?.sampleStatement?.(this.#statement.spec.statement);
      return undefined;
    } catch (error) {
      return refusalOf(error);
    } finally {
      await session?.close().catch(() => undefined);
    }
  }

  #report(): void {
    const { problem } = this.#statement;
    if (this.#host) problem(this.#host.message, this.#host.how);
    else problem(this.#why);
  }
}
