import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type { StatementMonitor } from '../../../shared/model/monitors.ts';
import type { MonitorRow } from '../monitors/monitor.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Source } from '../store/store.ts';
import { changeAbout } from './change-about.ts';

/** Series of a statement: what it returns, a rate for those of which a person has said that they only grow. */
export class StatementSeries {
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
