import type { RunWindow } from '../../../shared/model/monitored.ts';
import { clockOffset, momentOf, wasSet } from '../../../shared/monitoring/index.ts';
import type { RunJob, RunRow, Store } from '../store/store.ts';

/** When each run of a session was, on our clock. */
export const runWindows = (store: Store, sessionId: number): RunWindow[] =>
  store.runs.ofSession(sessionId).flatMap((run) => windowOf(store, run) ?? []);

/** Undefined: it has not begun, or never did. */
export function windowOf(store: Store, run: RunRow): RunWindow | undefined {
  if (run.startedAt === null) return undefined;
  const seconds = run.warmup + run.duration;
  const known = run.jobs.flatMap((job, position) => placeOf(store, run, job, position, seconds) ?? []);
  const [first] = known;
  const placed = {
    zero: first?.at ?? run.jobs[0]?.startedAt ?? run.startedAt,
    ...(first?.pace !== undefined && { pace: first.pace }),
  };
  const planned = momentOf(placed, seconds);
  return {
    runId: run.id,
    ...placed,
    from: momentOf(placed, run.warmup),
    to: run.endedAt === null ? planned : Math.min(run.endedAt, planned),
    ...(first && { errorMs: Math.max(...known.map(({ errorMs }) => errorMs)) }),
  };
}

/** Second 0 of a generator's tool, and how fast its clock goes: in an hour it may be off by parts of a second. */
function placeOf(
  store: Store,
  { sessionId }: RunRow,
  { host, zero }: RunJob,
  position: number,
  seconds: number,
): { at: number; errorMs: number; pace?: number } | undefined {
  if (!zero) return undefined;
  const source = store.sources
    .ofSession(sessionId)
    .find((each) => each.kind === 'generator' && each.name === host && each.position === position);
  const clocks = source ? store.sources.clocks(source.id) : [];
  const begun = zero.hostMs / 1000;
  const offset = clockOffset(clocks, begun);
  // Not those of another run: the clock may have been set between the two.
  const own = clocks.filter(
    (reading) => reading.t >= begun && reading.t <= begun + seconds && !wasSet({ t: begun, ...offset }, reading),
  );
  const last = own.at(-1);
  const seen = last ? last.t - begun : 0;
  const gained = last && seen > 0 ? last.offsetMs - offset.offsetMs : 0;
  const doubt = offset.errorMs + (last?.errorMs ?? 0);
  const known = { at: zero.hostMs + offset.offsetMs, errorMs: zero.errorMs + offset.errorMs };
  // What is less than readings are exact to is none.
  if (Math.abs(gained) <= doubt) return known;
  // Behind the last reading its doubt grows as the pace is carried on.
  const carried = (doubt * Math.max(0, seconds - seen)) / seen;
  return { ...known, errorMs: known.errorMs + carried, pace: 1 + gained / (1000 * seen) };
}
