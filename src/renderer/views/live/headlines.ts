const MOST_TILES = 4;
const HEADLINES = ['latency_p95_ms', 'latency_max_ms', 'errors_per_s'];

/** The metrics worth a tile: the primary one, how slow, how bad, whether it errs; filled up with others. */
export const headlines = (primary: string, present: readonly string[]): string[] =>
  [...new Set([primary, ...HEADLINES, ...present])].filter((name) => present.includes(name)).slice(0, MOST_TILES);
