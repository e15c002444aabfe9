import type { RunRow, Store } from '../store/store.ts';

/**
 * When the tool of a generator started, on our clock, milliseconds: when its supervisor wrote the first line of the index; where there is
 * none, when it was about to be launched.
 */
export function toolStart(store: Store, run: RunRow, generator: number): number {
  const launchedAt = run.startedAt ?? 0;
  const [hostSeconds] = store.samples.index(run.id, generator).epoch;
  const clock = run.jobs[generator]?.clock;
  if (hostSeconds === undefined || !clock) return launchedAt;
  return Math.max(launchedAt, hostSeconds * 1000 + clock.offsetMs);
}
