import {
  type ComparedSeries,
  comparedSeries,
  compareMoment,
  isCompared,
  windowOf as measuredWindow,
  momentSentences,
  type WatchedSeries,
  type Window,
} from '../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../shared/model/before-after.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import type { TimelineEvent } from '../../../shared/model/session.ts';
import { momentOf, secondOf } from '../../../shared/monitoring/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import type { RulesOf } from './monitored.ts';
import { seriesIn } from './series-in.ts';
import { windowOf } from './windows.ts';

const MOST = 1_000;
/** People write a note a moment after, or before, what it is about: so much on both sides of it is left out, seconds. */
const BY_HAND = 10;

/**
 * What was different after each note and each event of a scenario of a session, in order of time. `isOffered`: whether what servers do in a run is asked
 * of them whatever they get done, so that it is a load.
 */
export const momentComparisons = (
  store: Store,
  sessionId: number,
  rulesOf: RulesOf,
  isOffered: (run: RunRow) => boolean,
): MomentComparison[] =>
  store.reading(() => {
    const events = store.events.ofSession(sessionId, ['note', 'scenario'], 0, MOST);
    if (events.length === 0) return [];
    return store.runs.ofSession(sessionId).flatMap((run) => ofRun(store, run, events, rulesOf, isOffered));
  });

/** A moment on the seconds of its run. */
interface Moment {
  readonly event: TimelineEvent;
  readonly second: number;
}

function ofRun(
  store: Store,
  run: RunRow,
  events: readonly TimelineEvent[],
  rulesOf: RulesOf,
  isOffered: (run: RunRow) => boolean,
): MomentComparison[] {
  const window = windowOf(store, run);
  if (!window) return [];
  const moments = events
    .filter(({ at, runId }) => (runId === undefined || runId === run.id) && at >= window.from && at <= window.to)
    .map((event): Moment => ({ event, second: secondOf(window, event.at) }))
    .sort((one, other) => one.second - other.second);
  if (moments.length === 0) return [];
  const series = seriesOf(store, run, window, rulesOf);
  const measured = measuredWindow(window);
  const isLoad = isOffered(run);
  return moments.map((moment, place) => {
    const [before, after] = sidesOf(moment, moments[place - 1], moments[place + 1], measured);
    const rows = compareMoment(series, before, after).map(rowOf);
    const span = ({ from, to }: Window) => ({ from: momentOf(window, from), to: momentOf(window, to) });
    return {
      eventId: moment.event.id,
      kind: moment.event.kind === 'scenario' ? 'scenario' : 'note',
      at: moment.event.at,
      message: moment.event.message,
      runId: run.id,
      before: span(before),
      after: span(after),
      series: isLoad ? rows : rows.map(({ isLoad: _, ...row }) => row),
      sentences: momentSentences(rows, isLoad),
    };
  });
}

/** Up to the moment before it and the one behind it, within the run. */
function sidesOf(
  moment: Moment,
  previous: Moment | undefined,
  next: Moment | undefined,
  { from, to }: Window,
): [Window, Window] {
  const room = ({ event }: Moment): number => (event.kind === 'note' ? BY_HAND : 0);
  const start = previous ? previous.second + BY_HAND : from;
  const end = next ? next.second - room(next) : to;
  // What an event does at once is told of it elsewhere: how deep it dipped, and for how long.
  return [
    { from: start, to: Math.max(start, moment.second - room(moment)) },
    { from: Math.min(end, moment.second + BY_HAND), to: end },
  ];
}

interface Compared extends ComparedSeries {
  readonly sourceId: number;
  readonly digits?: number;
}

/** A sample of a person's own takes its connection so many statements. */
const OF_OWN_SAMPLE = 4;

/** How many by the second of what a series counts are Kneepoint's own; undefined: none are, or it does not know. */
export function ownIn(
  store: Store,
  source: Source,
  series: Pick<WatchedSeries, 'rule'>,
  rulesOf: RulesOf,
): number | undefined {
  const own = rulesOf(source).find(({ id }) => id === series.rule)?.own;
  if (!own) return undefined;
  const asked = store.sources.ofSession(source.sessionId).filter(({ kind }) => kind === 'own').length;
  return own[source.about?.host === undefined ? 'direct' : 'onHost'] + OF_OWN_SAMPLE * asked;
}

function seriesOf(store: Store, run: RunRow, window: RunWindow, rulesOf: RulesOf): Compared[] {
  const sources = store.sources.ofSession(run.sessionId);
  const shown = new Map<WatchedSeries, Pick<Compared, 'sourceId' | 'digits' | 'own'>>();
  const known = (source: Source) => {
    const found = seriesIn(store, source, window, rulesOf, isCompared);
    for (const { series, ...more } of found) {
      const own = ownIn(store, source, series, rulesOf);
      shown.set(series, { sourceId: source.id, ...more, ...(own !== undefined && { own }) });
    }
    return { name: source.name, roles: source.about?.roles ?? [], series: found.map(({ series }) => series) };
  };
  const of = (kind: Source['kind']): Source[] => sources.filter((source) => source.kind === kind);
  const found = comparedSeries(
    { servers: of('server').map(known), hosts: of('host').map(known) },
    measuredWindow(window),
  );
  return found.map((each) => ({ ...each, ...(shown.get(each.series) ?? { sourceId: 0 }) }));
}

const rowOf = ({
  source,
  sourceId,
  series: { id, unit, instance },
  label,
  digits,
  isLoad,
  change,
}: Compared & { change: ReturnType<typeof compareMoment>[number]['change'] }): SeriesBeforeAfter => ({
  ...{ source, sourceId, id, label, unit },
  ...(instance !== undefined && { instance }),
  ...(digits !== undefined && { digits }),
  ...(isLoad && { isLoad }),
  ...change,
});
