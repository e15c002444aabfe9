import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { effectFinding, endsOutage, inTheirOrder } from '../../../shared/model/scenario.ts';
import { dipAfter, dipWords, nounOf, recoveryOf } from '../../../shared/stats/index.ts';
import { metricOfRun, type RunsContext } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';

const MOST = 10_000;

/** Events of the scenario of a run that have begun, in their order. */
export const begunEvents = ({ store }: Pick<RunsContext, 'store'>, { id, sessionId }: RunRow) =>
  store.events.ofSession(sessionId, ['scenario'], 0, MOST, [id]).filter(({ runId }) => runId === id);

/**
 * What each event of the scenario did to the first metric of the tool, where that is a rate: how deep it fell and when it was back. A start
 * that ends an outage is part of it. Where the tool has no such metric, or several generators have one each, it is told when what was watched has come (`results/event-effects.ts`).
 */
export function scenarioEffects(context: Pick<RunsContext, 'store'>, run: RunRow): Finding[] {
  const { store } = context;
  const events = begunEvents(context, run);
  const snapshot = store.sessions.snapshot(run.sessionId);
  const metric = metricOfRun(snapshot, run);
  if (metric === null) return [];
  const [series, second] = events.length > 0 ? store.samples.readable(run.id, metric).series : [];
  const { better, label, unit } = metricOf(metric);
  if (!series || second || better !== 'higher') return [];
  const planned = inTheirOrder(snapshot.experiment.measure.events);
  return events.flatMap(({ t = 0, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const next = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const earlier = events.slice(0, place).flatMap((event) => event.t ?? []);
    const dip = dipAfter(series, t, { until: next?.t, earlier });
    if (!dip) return [];
    const recovery = recoveryOf(dip, { at: planned[place]?.at ?? t, event: message });
    const words = dipWords(dip, { what: `${label} (${unit})`, work: nounOf(label) });
    return [{ ...effectFinding(t, message, words), ...(recovery && { recovery }) }];
  });
}
