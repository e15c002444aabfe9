import { isOwnOnly, mainSeries, OWN_ONLY, type RunEvidence, stepOf } from '../../../shared/analysis/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import { effectFinding, endsOutage, inTheirOrder, SCENARIO_EFFECT } from '../../../shared/model/scenario.ts';
import { secondOf } from '../../../shared/monitoring/index.ts';
import { type DipOf, dipAfter, dipWords, nounOf, type Points } from '../../../shared/stats/index.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import type { RunRow, Store } from '../store/store.ts';
import { ownIn } from './before-after.ts';
import type { RulesOf } from './monitored.ts';
import { knownAcross } from './series-in.ts';
import { windowOf } from './windows.ts';

const MOST = 10_000;
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
  if (!window || run.findings.some(({ code }) => code === SCENARIO_EFFECT)) return [];
  const events = store.events
    .ofSession(run.sessionId, ['scenario'], 0, MOST, [run.id])
    .filter(({ runId }) => runId === run.id);
  const told = events.length > 0 ? rateOf(store, run, window, evidence, rulesOf, target) : undefined;
  if (!told) return [];
  const planned = inTheirOrder(store.sessions.snapshot(run.sessionId).experiment.measure.events);
  return events.flatMap(({ at, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const behind = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const [second, next] = [at, behind?.at].map((ms) => ms && secondOf(window, ms));
    const earlier = events.slice(0, place).flatMap((event) => secondOf(window, event.at) ?? []);
    const dip =
      second === undefined ? undefined : dipAfter(told.points, second, { until: next, silence: told.silence, earlier });
    if (second === undefined || !dip) return [];
    // What does not answer at all is down, whoever asks it.
    const isIdle = isOwnOnly(dip.before, told.own) && dip.lowest > 0;
    const words = isIdle
      ? `${told.what}: median ${formatNumber(dip.before)} before, ${formatNumber(dip.after)} after, ${OWN_ONLY}. There was no load that could dip.`
      : dipWords(dip, told);
    const begun = Math.round(second * 10) / 10;
    const recovery = { at: planned[place]?.at ?? begun, event: message, seconds: dip.recovered };
    const isOutage = told.work !== undefined && dip.began !== undefined && !isIdle;
    return [{ ...effectFinding(begun, message, words), from: 'watching', ...(isOutage && { recovery }) }];
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
