import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type { StatementMonitor } from '../../../shared/model/monitors.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import { toHostTime } from '../../../shared/monitoring/index.ts';
import type { MonitorRow } from '../monitors/monitor.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Source } from '../store/store.ts';
import type { TargetSession } from '../targets/target.ts';
import { changeAbout } from './sources.ts';

/** Series of a statement: its values, as rates for those declared to be counters. */
class StatementSeries {
  readonly #context: Pick<RunsContext, 'store'>;
  readonly #spec: StatementMonitor;
  readonly #source: Source;
  readonly #known: Set<string>;

  constructor(context: Pick<RunsContext, 'store'>, spec: StatementMonitor, source: Source) {
    this.#context = context;
    this.#spec = spec;
    this.#source = source;
    this.#known = new Set(source.about?.rules?.map(({ id }) => id));
  }

  note(names: readonly string[]): void {
    if (names.every((name) => this.#known.has(name))) return;
    for (const name of names) this.#known.add(name);
    const counters = new Set(this.#spec.counters);
    const rules = [...this.#known].map((name): SeriesRule => {
      const counts = counters.has(name);
      return {
        id: name,
        label: name,
        unit: counts ? 'per s' : '',
        lane: 'own',
        main: true,
        digits: 2,
        reading: { kind: counts ? 'rate' : 'gauge', of: [name] },
      };
    });
    changeAbout(this.#context, this.#source, (about) => ({ ...about, rules }));
  }
}

/** Notes series of rows of several statements, by their place. */
export function noteRows(
  context: Pick<RunsContext, 'store'>,
  statements: readonly { spec: StatementMonitor; source: Source }[],
): (rows: readonly MonitorRow[]) => void {
  const series = statements.map(({ spec, source }) => new StatementSeries(context, spec, source));
  return (rows) => {
    for (const { of = 0, metrics } of rows) series[of]?.note(Object.keys(metrics));
  };
}

/** The server's refusal of a statement: others may still be sent over the same connection. Rethrows any other error. */
export function refusalOf(error: unknown): string {
  const problem = problemOf(error);
  if (problem.code !== 'change-refused' && problem.code !== 'bad-request') throw error;
  return problem.message;
}

/** A custom statement that is sent once a second over the app's connection, and its source. */
export class StatementWatch {
  readonly #context: RunsContext;
  readonly #spec: StatementMonitor;
  readonly #source: Source;
  readonly #problem: (message: string | undefined) => void;
  readonly #series: StatementSeries;

  constructor(
    context: RunsContext,
    spec: StatementMonitor,
    source: Source,
    problem: (message: string | undefined) => void,
  ) {
    this.#context = context;
    this.#spec = spec;
    this.#source = source;
    this.#problem = problem;
    this.#series = new StatementSeries(context, spec, source);
  }

  /** A failed statement is reported, and sent again: the others are unaffected. Throws if the connection broke. */
  async look(session: TargetSession, ends: AbortSignal): Promise<void> {
    if (!session.sampleStatement) return;
    const { store, clock } = this.#context;
    const asked = clock.now();
    try {
      const metrics = await session.sampleStatement(this.#spec.statement);
      if (ends.aborted) return;
      this.#series.note(Object.keys(metrics));
      // If the statement was begun on its server's host, the times use that host's clock; otherwise there are no readings, and they use ours.
      const t = toHostTime(store.sources.clocks(this.#source.id), (asked + clock.now()) / 2);
      store.relaxed(() => store.monitored.ingest({ sourceId: this.#source.id, rows: [{ t, metrics }] }));
      this.#problem(undefined);
    } catch (error) {
      this.#problem(this.#context.redact(refusalOf(error)));
    }
  }

  /** The server could not be asked at all. */
  failed(message: string): void {
    this.#problem(message);
  }
}
