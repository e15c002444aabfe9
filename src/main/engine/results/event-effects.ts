import { mainSeries, type RunEvidence, stepOf } from '../../../shared/analysis/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { effectFinding, SCENARIO_EFFECT } from '../../../shared/model/scenario.ts';
import { type DipOf, dipAfter, dipWords, type Points } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';

const MOST = 10_000;
/** So many steps without a value at the end are a server that did not answer any more. */
const SILENT = 3;

/**
 * What each event of a run did to the throughput of all generators together, or in a run that only watches to the main series of its server or
 * host. Nothing where the trial itself has told it already.
 */
export function eventEffects(store: Store, run: RunRow, evidence: RunEvidence, target?: string): Finding[] {
  const { zero, window } = evidence;
  if (zero === undefined || run.findings.some(({ code }) => code === SCENARIO_EFFECT)) return [];
  const events = store.events
    .ofSession(run.sessionId, ['scenario'], 0, MOST, [run.id])
    .filter(({ runId }) => runId === run.id);
  const told = events.length > 0 ? rateOf(evidence, window.to, target) : undefined;
  if (!told) return [];
  const second = (at: number): number => (at - zero) / 1000;
  return events.flatMap(({ at, message }, place): Finding[] => {
    const next = events[place + 1];
    const dip = dipAfter(told.points, second(at), next && second(next.at));
    if (!dip) return [];
    return [{ ...effectFinding(Math.round(second(at) * 10) / 10, message, dipWords(dip, told)), from: 'watching' }];
  });
}

function rateOf(evidence: RunEvidence, end: number, target?: string): (DipOf & { points: Points }) | undefined {
  if (evidence.rate) {
    const { label, unit } = metricOf(evidence.rate.metric);
    return { points: evidence.rate, what: `${label} (${unit})`, isWork: true };
  }
  const main = mainSeries(evidence, target);
  if (!main) return undefined;
  const { source, series, isWork } = main;
  const unit = series.unit === '' ? '' : ` (${series.unit})`;
  return { points: answered(series, end), what: `${series.label} of “${source}”${unit}`, isWork };
}

/** Values that are known; a server that is silent until the end does nothing there. */
function answered({ t, v }: Points, end: number): Points {
  const step = stepOf(t);
  const known = Array.from(t, (at, index) => [at, v[index] ?? Number.NaN] as const).filter(
    ([at, value]) => at <= end && !Number.isNaN(value),
  );
  const last = known.at(-1)?.[0] ?? end;
  const all = end - last > SILENT * step ? [...known, [end, 0] as const] : known;
  return { t: Float64Array.from(all, ([at]) => at), v: Float64Array.from(all, ([, value]) => value) };
}
