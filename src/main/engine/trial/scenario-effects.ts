import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { parallelStepEvents } from '../../../shared/model/parallel-steps.ts';
import { effectFinding, endsOutage, inTheirOrder } from '../../../shared/model/scenario.ts';
import { dipAfter, dipWords, lastedWords, lastsOf, nounOf, recoveryOf } from '../../../shared/stats/index.ts';
import { metricOfRun, type RunsContext } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { toolStart } from './zero.ts';

const MOST = 10_000;

/** Events of a run's scenario that have begun, in order. */
export const begunEvents = ({ store }: Pick<RunsContext, 'store'>, { id, sessionId }: RunRow) =>
  store.events.ofSession(sessionId, ['scenario'], 0, MOST, [id]).filter(({ runId }) => runId === id);

/** Stores parallel steps that began during a run, which ended at `endedAt`, as its events, each once. */
export function recordParallelSteps({ store }: Pick<RunsContext, 'store'>, run: RunRow, endedAt: number): void {
  const known = new Set(begunEvents({ store }, run).map(({ message }) => message));
  const zero = toolStart(store, run, 0);
  for (const { event, startedAt } of parallelSteps(store, run))
    if (!known.has(event) && startedAt > zero && startedAt < endedAt)
      store.events.add({
        ...{ sessionId: run.sessionId, runId: run.id, kind: 'scenario', level: 'info', message: event },
        ...{ at: startedAt, t: Math.round(startedAt - zero) / 1000 },
      });
}

const parallelSteps = (store: RunsContext['store'], run: RunRow) =>
  parallelStepEvents(store.sessions.snapshot(run.sessionId).experiment.steps, run, () =>
    store.runs.ofSession(run.sessionId),
  );

/**
 * Reports the effect of each event of the scenario on the first metric of the tool, if that is a rate: how deep it fell and when it recovered. A
 * start that ends an outage is part of it; a parallel step is an event of those that began before it. If the tool has no such metric, or several
 * generators have one each, `eventEffects` of the judging finds it later.
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
  const parallel = new Map(parallelSteps(store, run).map((parallelStep) => [parallelStep.event, parallelStep]));
  return events.flatMap(({ t = 0, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const next = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const earlier = events.slice(0, place).flatMap((event) => event.t ?? []);
    const parallelStep = parallel.get(message);
    const dip = dipAfter(series, t, { until: next?.t, earlier, lasts: lastsOf(parallelStep) });
    if (!dip) return [];
    const recovery = recoveryOf(dip, { at: parallelStep?.at ?? planned[place]?.at ?? t, event: message });
    const words = dipWords(dip, { what: `${label} (${unit})`, work: nounOf(label) }) + lastedWords(parallelStep);
    return [{ ...effectFinding(t, message, words), ...(recovery && { recovery }) }];
  });
}
