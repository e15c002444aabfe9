import { metricOf } from './index.ts';

/* First requests of the tabs of a session's results. The page requests exactly this, and the engine calculates exactly this in advance. */

/** Tiles of a heat map that can be drawn without a noticeable wait, and segments of a row. */
const MOST_TILES = 16_000;
const MOST_COLUMNS = 240;
const LEAST_COLUMNS = 60;

/** Segments of a heat map with this many rows. */
export const heatColumns = (rows: number): number =>
  Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor(MOST_TILES / Math.max(1, rows))));

/** With more runs than this, a row of a heat map is a cell. */
export const MOST_HEAT_ROWS = 120;

/** Latencies in order of preference for the first view. */
const LATENCIES = ['latency_p95_ms', 'latency_p99_ms', 'latency_p90_ms', 'latency_avg_ms'];

/** Latencies that throughput can be plotted against, the default one first. */
export const latenciesOf = (metrics: readonly string[]): string[] =>
  metrics
    .filter((id) => metricOf(id).latency && metricOf(id).better === 'lower')
    .sort((one, other) => rank(one) - rank(other));

const rank = (metric: string): number => (LATENCIES.indexOf(metric) + LATENCIES.length + 1) % (LATENCIES.length + 1);

/** Metrics of the tool shown by default on the clock of its hosts, in addition to its primary one. */
const LANES = ['latency_p95_ms', 'latency_p99_ms', 'errors_per_s'];
const MOST_LANES = 3;

export const firstLanes = (primary: string, metrics: readonly string[]): string[] =>
  [primary, ...LANES].filter((id) => metrics.includes(id)).slice(0, MOST_LANES);

/** Maximum number of runs that a lane of the tool shows at once. */
export const MOST_LANE_RUNS = 500;

/** Values of a lane of the tool: up to this many seconds are requested unchanged, more are thinned. */
const MOST_VALUES = 20_000;
const LEAST_POINTS = 8;

/**
 * Points per run for this many runs with this many seconds in total; undefined: all. A power of two, so that slightly more or fewer runs
 * request the same.
 */
export const lanePoints = (runs: number, seconds: number): number | undefined =>
  seconds > MOST_VALUES ? Math.max(LEAST_POINTS, 2 ** Math.floor(Math.log2(MOST_VALUES / 4 / runs))) : undefined;
