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
import type { MomentComparison, SeriesBeforeAfter } from '../../../shared/model/before-after.ts';
import { besidesOf } from '../../../shared/model/beside.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import { effectFinding, endsOutage, inTheirOrder } from '../../../shared/model/scenario.ts';
import type { TimelineEvent } from '../../../shared/model/session.ts';
import { momentOf, secondOf } from '../../../shared/monitoring/index.ts';
import {
  type DipOf,
  dipAfter,
  dipWords,
  lastedWords,
  lastsOf,
  nounOf,
  type Points,
  recoveryOf,
} from '../../../shared/stats/index.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import type { RulesOf } from '../monitored/index.ts';
import { knownAcross, seriesIn, windowOf } from '../monitored/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';

const MOST_MOMENTS = 1_000;
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
/** So many steps without a sample at the end of a run are a stretch of which something has to be said. */
const SILENT = 3;

/**
 * What each event of a run did to the throughput of all generators together, or in a run that only watches to the main series of its server or
 * host. Nothing where the trial itself has told it already.
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
  const told = events.length > 0 ? rateOf(store, run, window, evidence, rulesOf, target) : undefined;
  if (!told) return [];
  const { steps, measure } = store.sessions.snapshot(run.sessionId).experiment;
  const planned = inTheirOrder(measure.events);
  const besides = besidesOf(steps, run, () => store.runs.ofSession(run.sessionId));
  const parallel = new Map(besides.map((beside) => [beside.event, beside]));
  return events.flatMap(({ at, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const behind = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const [second, next] = [at, behind?.at].map((ms) => ms && secondOf(window, ms));
    const earlier = events.slice(0, place).flatMap((event) => secondOf(window, event.at) ?? []);
    const beside = parallel.get(message);
    const dip =
      second === undefined
        ? undefined
        : dipAfter(told.points, second, { until: next, silence: told.silence, earlier, lasts: lastsOf(beside) });
    if (second === undefined || !dip) return [];
    // What does not answer at all is down, whoever asks it.
    const isIdle = isOwnOnly(dip.before, told.own) && dip.lowest > 0;
    const words = isIdle
      ? `${told.what}: median ${formatNumber(dip.before)} before, ${formatNumber(dip.after)} after, ${OWN_ONLY}, without load.`
      : dipWords(dip, told) + lastedWords(beside);
    const begun = Math.round(second * 10) / 10;
    const isOfWork = told.work !== undefined && !isIdle;
    const recovery = isOfWork
      ? recoveryOf(dip, { at: beside?.at ?? planned[place]?.at ?? begun, event: message })
      : undefined;
    return [{ ...effectFinding(begun, message, words), from: 'watching', ...(recovery && { recovery }) }];
  });
}

interface Told extends DipOf {
  readonly points: Points;
  /** What a stretch without values means. */
  readonly silence: 'zero' | 'told';
  /** So many of it by the second are Kneepoint's own. */
  readonly own?: number;
}

function rateOf(
  store: Store,
  run: RunRow,
  window: RunWindow,
  evidence: RunEvidence,
  rulesOf: RulesOf,
  target?: string,
): Told | undefined {
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
  // It was asked again and again, and did not answer.
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

/** Values up to the end of the run; what is between the last of them and the end is told by the next sample behind it. */
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
