import type { SeriesRule } from '../../../../shared/model/monitored.ts';
import type { StatementMonitor } from '../../../../shared/model/monitors.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import type { Source } from '../../store/store.ts';
import type { TargetSession } from '../../targets/target.ts';
import type { RunsContext } from '../context.ts';

/** A statement of a person that is asked once a second, and the source that it is. */
export class StatementWatch {
  readonly #context: RunsContext;
  readonly #spec: StatementMonitor;
  readonly #source: Source;
  readonly #problem: (message: string | undefined) => void;
  readonly #known = new Set<string>();

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
  }

  /** One that fails says so, and is asked again: the others do not suffer from it. A connection that broke is thrown. */
  async look(session: TargetSession, ends: AbortSignal): Promise<void> {
    if (!session.sampleStatement) return;
    const { store, clock } = this.#context;
    const asked = clock.now();
    try {
      const metrics = await session.sampleStatement(this.#spec.statement);
      if (ends.aborted) return;
      this.#note(Object.keys(metrics));
      const rows = [{ t: (asked + clock.now()) / 2000, metrics }];
      store.relaxed(() => store.monitored.ingest({ sourceId: this.#source.id, rows }));
      this.#problem(undefined);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code !== 'change-refused' && problem.code !== 'bad-request') throw error;
      this.#problem(this.#context.redact(problem.message));
    }
  }

  /** The server could not be asked at all. */
  failed(message: string): void {
    this.#problem(message);
  }

  /** Its series are what it returns: a rate for those of which a person has said that they only grow. */
  #note(names: readonly string[]): void {
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
    const about = { ...this.#source.about, rules };
    this.#context.store.sources.setAbout(this.#source.id, about);
  }
}
