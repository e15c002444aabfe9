import { metricOf } from './index.ts';

/*
 * What the tabs of a session's results ask for at first. The page asks for just this, and the engine works just this out before anybody does.
 */

/** Tiles of a heat map that can be drawn at once without a wait, and stretches of a row. */
const MOST_TILES = 16_000;
const MOST_COLUMNS = 240;
const LEAST_COLUMNS = 60;

/** Stretches of a heat map of so many rows. */
export const heatColumns = (rows: number): number =>
  Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor(MOST_TILES / Math.max(1, rows))));

/** Beyond this many runs a row of a heat map is a cell. */
export const MOST_HEAT_ROWS = 120;

/** Latencies in the order in which one is looked at first. */
const LATENCIES = ['latency_p95_ms', 'latency_p99_ms', 'latency_p90_ms', 'latency_avg_ms'];

/** Latencies that throughput can be set against, the one that is shown at first in front. */
export const latenciesOf = (metrics: readonly string[]): string[] =>
  metrics
    .filter((id) => metricOf(id).latency && metricOf(id).better === 'lower')
    .sort((one, other) => rank(one) - rank(other));

const rank = (metric: string): number => (LATENCIES.indexOf(metric) + LATENCIES.length + 1) % (LATENCIES.length + 1);

/** What is shown of the tool on the clock of its hosts at first, beside its primary metric. */
const LANES = ['latency_p95_ms', 'latency_p99_ms', 'errors_per_s'];
const MOST_LANES = 3;

export const firstLanes = (primary: string, metrics: readonly string[]): string[] =>
  [primary, ...LANES].filter((id) => metrics.includes(id)).slice(0, MOST_LANES);

/** Runs that a lane of the tool shows at once. */
export const MOST_LANE_RUNS = 500;

/** Values of a lane of the tool: as many seconds are asked for as they are, more are thinned. */
const MOST_VALUES = 20_000;
const LEAST_POINTS = 8;

/** Points of each of so many runs of so many seconds together; undefined: all. A power of two, so that a few more or fewer runs ask for the same. */
export const lanePoints = (runs: number, seconds: number): number | undefined =>
  seconds > MOST_VALUES ? Math.max(LEAST_POINTS, 2 ** Math.floor(Math.log2(MOST_VALUES / 4 / runs))) : undefined;
