/** What one line of `--progress` says: rates per second, times in ms, counts of the interval. Absent: not printed, or no number. */
export interface Progress {
  /** Seconds since the start, or epoch seconds with `--progress-timestamp`. */
  t: number;
  tps: number;
  latency?: number;
  stddev?: number;
  lag?: number;
  failed?: number;
  skipped?: number;
  retries?: number;
}

const FIGURE = String.raw`(\d+(?:\.\d+)?|-?nan|-?inf)`;
/** Versions before 15 print no failures, those with `--rate` a lag, with `--latency-limit` too what was skipped. */
const LINE = new RegExp(
  `^progress: (\\d+\\.\\d+) s, ${FIGURE} tps, lat ${FIGURE} ms stddev ${FIGURE}` +
    `(?:, (\\d+) failed)?(?:, lag ${FIGURE} ms)?(?:, (\\d+) skipped)?(?:, (\\d+) retried, (\\d+) retries)?$`,
  'i',
);

const number = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? undefined : value;
};

/** Reads a progress line; undefined for any other. */
export function readProgress(line: string): Progress | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [t, tps, latency, stddev, failed, lag, skipped, , retries] = found.slice(1).map(number);
  if (t === undefined || tps === undefined) return undefined;
  // Without a transaction 0.000 is printed, and that is no time.
  const times = tps > 0 ? { latency, stddev, lag } : {};
  const known = Object.entries({ ...times, failed, skipped, retries }).filter(([, value]) => value !== undefined);
  return { t, tps, ...Object.fromEntries(known) };
}
