import {
  type ComparedSeries,
  comparedSeries,
  compareMoment,
  isCompared,
  isOwnOnly,
  mainSeries,
  windowOf as measuredWindow,
  momentSentences,
  OWN_ONLY,
  type RunEvidence,
  stepOf,
  type WatchedSeries,
  type Window,
} from '../../../shared/analysis/index.ts';
import { kindOf } from '../../../shared/checks/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import { parallelStepEvents } from '../../../shared/model/parallel-steps.ts';
import { effectFinding, endsOutage, inTheirOrder } from '../../../shared/model/scenario.ts';
import type { TimelineEvent } from '../../../shared/model/session.ts';
import { momentOf, secondOf } from '../../../shared/monitoring/index.ts';
import {
  type DipOf,
  dipAfter,
  dipWords,
  lastedWords,
  nounOf,
  type Points,
  recoveryOf,
  secondsOfStep,
} from '../../../shared/stats/index.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { knownAcross, type RulesOf, seriesIn, windowOf } from '../monitored/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';

const MOST_MOMENTS = 1_000;
/** A note may be written a moment after, or before, its subject: this many seconds on both sides are excluded. */
const BY_HAND = 10;

/**
 * Compares a session before and after each of its notes and scenario events, in order of time. `isOffered`: whether the load on the servers of a run
 * is independent of their speed, so their work counts as a load.
 */
export const momentComparisons = (
  store: Store,
  sessionId: number,
  rulesOf: RulesOf,
  isOffered: (run: RunRow) => boolean,
): MomentComparison[] =>
  store.reading(() => {
    const events = store.events.ofSession(sessionId, ['note', 'scenario'], 0, MOST_MOMENTS);
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

/** The spans up to the previous moment and up to the next one, within the run. */
function sidesOf(
  moment: Moment,
  previous: Moment | undefined,
  next: Moment | undefined,
  { from, to }: Window,
): [Window, Window] {
  const room = ({ event }: Moment): number => (event.kind === 'note' ? BY_HAND : 0);
  const start = previous ? previous.second + BY_HAND : from;
  const end = next ? next.second - room(next) : to;
  // The immediate effect of an event, depth and length of the dip, is reported elsewhere.
  return [
    { from: start, to: Math.max(start, moment.second - room(moment)) },
    { from: Math.min(end, moment.second + BY_HAND), to: end },
  ];
}

interface Compared extends ComparedSeries {
  readonly sourceId: number;
  readonly digits?: number;
}

/** Statements that a custom sample takes on its connection. */
const OF_OWN_SAMPLE = 4;

/** How many per second of a series are Kneepoint's own. Undefined if none are, or if that is unknown. */
function ownIn(
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

const MOST_EVENTS = 10_000;
/** This many steps without a sample at the end of a run form a stretch that needs a value. */
const SILENT = 3;

/**
 * Reports the effect of each event of a run on the throughput of all generators together or, in a run that only watches, on the main series of its
 * server or host. Empty if the trial itself has reported them already.
 */
export function eventEffects(
  store: Store,
  run: RunRow,
  evidence: RunEvidence,
  rulesOf: RulesOf,
  target?: string,
): Finding[] {
  const window = windowOf(store, run);
  if (!window || run.findings.some((finding) => kindOf(finding).about === 'event')) return [];
  const events = store.events
    .ofSession(run.sessionId, ['scenario'], 0, MOST_EVENTS, [run.id])
    .filter(({ runId }) => runId === run.id);
  const rate = events.length > 0 ? rateOf(store, run, window, evidence, rulesOf, target) : undefined;
  if (!rate) return [];
  const { steps, measure } = store.sessions.snapshot(run.sessionId).experiment;
  const planned = inTheirOrder(measure.events);
  const parallelSteps = parallelStepEvents(steps, run, () => store.runs.ofSession(run.sessionId));
  const parallel = new Map(parallelSteps.map((parallelStep) => [parallelStep.event, parallelStep]));
  return events.flatMap(({ at, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const behind = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const [second, next] = [at, behind?.at].map((ms) => ms && secondOf(window, ms));
    const earlier = events.slice(0, place).flatMap((event) => secondOf(window, event.at) ?? []);
    const parallelStep = parallel.get(message);
    const dip =
      second === undefined
        ? undefined
        : dipAfter(rate.points, second, {
            until: next,
            silence: rate.silence,
            earlier,
            lasts: secondsOfStep(parallelStep),
          });
    if (second === undefined || !dip) return [];
    // A server that does not respond at all is down, whoever asks it.
    const isIdle = isOwnOnly(dip.before, rate.own) && dip.lowest > 0;
    const words = isIdle
      ? `${rate.what}: median ${formatNumber(dip.before)} before, ${formatNumber(dip.after)} after, ${OWN_ONLY}, without load.`
      : dipWords(dip, rate) + lastedWords(parallelStep);
    const begun = Math.round(second * 10) / 10;
    const isOfWork = rate.work !== undefined && !isIdle;
    const recovery = isOfWork
      ? recoveryOf(dip, { at: parallelStep?.at ?? planned[place]?.at ?? begun, event: message })
      : undefined;
    return [{ ...effectFinding(begun, message, words), from: 'watching', ...(recovery && { recovery }) }];
  });
}

interface RateSeries extends DipOf {
  readonly points: Points;
  /** Meaning of a stretch without values. */
  readonly silence: 'zero' | 'told';
  /** How many per second of it are Kneepoint's own. */
  readonly own?: number;
}

function rateOf(
  store: Store,
  run: RunRow,
  window: RunWindow,
  evidence: RunEvidence,
  rulesOf: RulesOf,
  target?: string,
): RateSeries | undefined {
  if (evidence.rate) {
    const { label, unit } = metricOf(evidence.rate.metric);
    return { points: evidence.rate, what: `${label} (${unit})`, work: nounOf(label), silence: 'zero' };
  }
  const main = mainSeries(evidence, target);
  const kind = main?.isWork ? 'server' : 'host';
  const source = store.sources
    .ofSession(run.sessionId)
    .find((each) => each.kind === kind && each.name === main?.source);
  const known = main && source && knownAcross(store, source, window, main.series.id, rulesOf);
  if (!known) return undefined;
  const { series, isWork } = main;
  const unit = series.unit === '' ? '' : ` (${series.unit})`;
  // It was asked repeatedly, and did not respond.
  const isDown = isWork && source.problem !== undefined;
  const own = ownIn(store, source, series, rulesOf);
  return {
    ...(own !== undefined && { own }),
    points: upTo(known, evidence.window.to, isDown),
    what: `${series.label} of “${source.name}”${unit}`,
    ...(isWork && { work: nounOf(series.label) }),
    silence: 'told',
  };
}

/** Values up to the end of the run. The next sample after it determines the stretch between the last value and the end. */
function upTo({ t, v }: Points, end: number, isDown: boolean): Points {
  const behind = t.findIndex((at) => at > end);
  const count = behind < 0 ? t.length : behind;
  if (count === 0 || end - (t[count - 1] ?? 0) <= SILENT * stepOf(t))
    return { t: t.slice(0, count), v: v.slice(0, count) };
  const last = behind < 0 ? (isDown ? 0 : Number.NaN) : (v[behind] ?? Number.NaN);
  return { t: joined(t.subarray(0, count), end), v: joined(v.subarray(0, count), last) };
}

function joined(values: Float64Array, last: number): Float64Array {
  const all = new Float64Array(values.length + 1);
  all.set(values);
  all[values.length] = last;
  return all;
}
