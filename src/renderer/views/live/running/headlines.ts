import { latencyFamily, percentileIn } from '../../../../shared/metrics/index.ts';
import { isCounted } from '../../../../shared/model/repeats.ts';
import type { Run } from '../../../../shared/model/session.ts';

const MOST_TILES = 4;
const LAST = ['latency_max_ms', 'errors_per_s'];

/** The 95th percentile, or the one that the tool was configured to print instead. */
const percentileOf = (present: readonly string[]): string[] =>
  present.includes('latency_p95_ms')
    ? ['latency_p95_ms']
    : present.filter((name) => latencyFamily(name) === 'latency' && percentileIn(name) !== undefined).slice(0, 1);

/** The metrics worth a tile: the primary one, the progress of a load with an end, latencies and errors; filled up with others. */
export const headlines = (primary: string, present: readonly string[]): string[] =>
  [...new Set([primary, 'progress_pct', ...percentileOf(present), ...LAST, ...present])]
    .filter((name) => present.includes(name))
    .slice(0, MOST_TILES);

/** Positions of the tiles: a tile keeps its position, and a new one takes that of a tile that is no longer wanted. */
export function placed(shown: readonly string[], wanted: readonly string[]): string[] {
  const places = [...shown];
  for (const name of wanted.filter((each) => !shown.includes(each))) {
    const free = places.findIndex((each) => !wanted.includes(each));
    if (free >= 0) places[free] = name;
    else places.push(name);
  }
  return places.slice(0, MOST_TILES);
}

/** Maximum runs drawn behind the running one. */
const MOST = 20;

/** Finished runs of the same step that differ from this one only in the ladder's factor or the repeat, oldest first. */
export const earlierOfLadder = (run: Run, runs: readonly Run[], factor: string | undefined): Run[] =>
  runs
    .filter((other) => other.id !== run.id && other.step === run.step && isCounted(other))
    .filter((other) =>
      Object.entries(run.levels).every(([name, level]) => name === factor || other.levels[name] === level),
    )
    .sort((one, other) => one.trial - other.trial)
    .slice(-MOST);
