/** Measured times of a test file, in seconds. */
export interface Timing {
  /** From start to end, minus the time in which one of its processes waited for a core. */
  readonly wall: number;
  /** CPU of all its processes, user and system. */
  readonly cpu: number;
}

/** By file; for Playwright by project and file. */
export type Timings = Readonly<Record<string, Timing>>;

/** For a file that has never been measured. */
const UNKNOWN: Timing = { wall: 60, cpu: 20 };

const timingOf = (timings: Timings, file: string): Timing => timings[file] ?? UNKNOWN;

/** Files are admitted up to this multiple of the cores: their load is an average, and cores would be idle whenever one waits. */
const FILLED = 1.25;

/** A browser has many processes: their waits for each other shorten the measured wall time, though together they use hardly more than a core. */
const MOST_OF_A_FILE = 1.2;

/** Cores that a file keeps busy on average while it runs. */
function loadOf(timings: Timings, file: string): number {
  const { wall, cpu } = timingOf(timings, file);
  return Math.min(cpu / Math.max(wall, 0.001), MOST_OF_A_FILE);
}

/**
 * Which of the waiting files start now: the longest first, as long as all running ones keep hardly more than `cores` busy. Files that mostly wait
 * for servers and clocks run together with those that compute. Something always runs.
 */
export function admitted<Work extends { readonly file: string }>(
  waiting: readonly Work[],
  running: readonly Work[],
  { timings, cores }: { readonly timings: Timings; readonly cores: number },
): Work[] {
  let busy = running.reduce((sum, { file }) => sum + loadOf(timings, file), 0);
  let count = running.length;
  const longestFirst = waiting.toSorted((a, b) => timingOf(timings, b.file).wall - timingOf(timings, a.file).wall);
  return longestFirst.filter(({ file }) => {
    const load = loadOf(timings, file);
    if (count > 0 && busy + load > FILLED * cores) return false;
    busy += load;
    count += 1;
    return true;
  });
}
