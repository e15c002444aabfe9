import type { RunWindow } from '../../../shared/model/monitored.ts';
import { clockOffset } from '../../../shared/monitoring/index.ts';
import type { RunRow, Store } from '../store/store.ts';

/** When each run of a session was, on our clock. */
export const runWindows = (store: Store, sessionId: number): RunWindow[] =>
  store.runs.ofSession(sessionId).flatMap((run) => windowOf(store, run) ?? []);

/** Undefined: it has not begun, or never did. */
export function windowOf(store: Store, run: RunRow): RunWindow | undefined {
  if (run.startedAt === null) return undefined;
  const known = run.jobs.flatMap(({ host, zero }, position) => {
    if (!zero) return [];
    const source = store.sources
      .ofSession(run.sessionId)
      .find((each) => each.kind === 'generator' && each.name === host && each.position === position);
    const offset = clockOffset(source ? store.sources.clocks(source.id) : [], zero.hostMs / 1000);
    return [{ at: zero.hostMs + offset.offsetMs, errorMs: zero.errorMs + offset.errorMs }];
  });
  const [first] = known;
  const zero = first?.at ?? run.jobs[0]?.startedAt ?? run.startedAt;
  const planned = zero + (run.warmup + run.duration) * 1000;
  return {
    runId: run.id,
    zero,
    from: zero + run.warmup * 1000,
    to: run.endedAt === null ? planned : Math.min(run.endedAt, planned),
    ...(first && { errorMs: Math.max(...known.map(({ errorMs }) => errorMs)) }),
  };
}
