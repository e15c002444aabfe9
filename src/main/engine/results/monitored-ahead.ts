import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import type { Source, Store, Summary } from '../store/store.ts';
import { isPartOfCore } from './host-evidence.ts';
import { LEVEL_ROWS } from './levels.ts';
import { type RulesOf, readSeries, watchedOf } from './monitored.ts';
import { MonitoredLevels } from './monitored-levels.ts';

/** Fewer stretches than this are not asked for: shorter sources are read from their samples. */
const LEAST_ROWS = 512 * LEVEL_ROWS;
/** How long a step works. A series of ten hours takes a few milliseconds; one of many cores takes more than a step. */
const STEP_MS = 20;

/**
 * What is kept of the series of a session's hosts and servers, worked out before anybody looks: in steps, each of which reads, works out and keeps
 * some of it. Only of sources that are sealed, and without what each core is busy with: nobody sees that before choosing it, and of a large host it
 * would be more than is kept of a source. A step that is never taken leaves that work to the first look.
 */
export function* monitoredAhead(store: Store, sessionId: number, rulesOf: RulesOf): Generator<() => void> {
  for (const source of watchedOf(store, sessionId)) {
    if (store.monitored.extent(source.id).samples < LEAST_ROWS || !isSealed(store, source)) continue;
    const left = sideBySide(readSeries(store, source, rulesOf).filter(({ series }) => !isPartOfCore(series)));
    yield* stepsOf(store, source, left);
  }
}

const isSealed = ({ summaries }: Store, { id }: Source): boolean =>
  summaries.stamps({ sources: [id], metrics: [[]] })[0]?.feed !== undefined;

/** Series that read the same counters stand together, so that a step reads them once. */
const sideBySide = (read: readonly ReadSeries[]): ReadSeries[] => {
  const first = ({ reading }: ReadSeries): string => [...countersOf(reading)].sort()[0] ?? '';
  return read
    .map((each) => ({ each, by: first(each) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ each }) => each);
};

/** All that a part of a step reads is of one moment. What was worked out of samples of two moments is found under no stamp. */
function* stepsOf(store: Store, { id }: Source, read: readonly ReadSeries[]): Generator<() => void> {
  const made: Summary[] = [];
  // What it has read is not held from one step to the next, but for a series that is not done.
  let levels: MonitoredLevels | undefined;
  function* working(): Generator<void> {
    for (const each of read) {
      levels ??= new MonitoredLevels(store, id, (summary) => made.push(summary));
      yield* levels.workingOut(each);
    }
  }
  const work = working();
  let isDone = false;
  const step = (): void => {
    levels = undefined;
    store.reading(() => {
      const began = performance.now();
      do isDone = work.next().done === true;
      while (!isDone && performance.now() - began < STEP_MS);
    });
    store.summaries.keep(made.splice(0));
  };
  while (!isDone) yield step;
}
