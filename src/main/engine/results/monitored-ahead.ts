import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import type { Source, Store, Summary } from '../store/store.ts';
import { isPartOfCore } from './host-evidence.ts';
import { LEVEL_ROWS } from './levels.ts';
import { type RulesOf, readSeries, watchedOf } from './monitored.ts';
import { MonitoredLevels } from './monitored-levels.ts';

/** Fewer stretches than this are not asked for: shorter sources are read from their samples. */
const LEAST_ROWS = 512 * LEVEL_ROWS;
/** How long a step works. A series of ten hours takes a few milliseconds; one at least is worked out in each step. */
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
    while (left.length > 0) yield () => workOutSome(store, source, left);
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

/** Takes them from the front of `left`. All that a step reads is of one moment. */
function workOutSome(store: Store, { id }: Source, left: ReadSeries[]): void {
  const made: Summary[] = [];
  store.reading(() => {
    const levels = new MonitoredLevels(store, id, (summary) => made.push(summary));
    const began = performance.now();
    do {
      const next = left.shift();
      if (next) levels.workOut(next);
    } while (left.length > 0 && performance.now() - began < STEP_MS);
  });
  store.summaries.keep(made);
}
