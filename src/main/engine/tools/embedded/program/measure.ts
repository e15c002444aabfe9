import type { Line } from './lines.ts';
import type { Report } from './report.ts';

export interface MeasureInput {
  report: Report;
  /** Start on `clock`, milliseconds. */
  start: number;
  /** Seconds. */
  duration: number;
  clock(): number;
  write(line: Line): void;
  /** Resolves when no operation will come any more. */
  done: Promise<void>;
  /** Whether it ends at once with `done` (stopped, failed) or waits for the end of its time. */
  early(): boolean;
}

/** Time that the last operations of a run get to end before its last line is written, milliseconds. */
const GRACE = 200;

const rounded = (seconds: number): number => Number(seconds.toFixed(3));

/**
 * One line a second on an absolute grid: a line written late does not move the next one. Goes on past the planned end while
 * operations hang. Returns the seconds covered, which are the sum of the lines' own.
 */
export async function measure(input: MeasureInput): Promise<number> {
  const { report, start, duration, clock, write } = input;
  const elapsed = (): number => (clock() - start) / 1000;
  let timer: NodeJS.Timeout | undefined;
  const at = (seconds: number): Promise<'time'> =>
    new Promise((resolve) => {
      timer = setTimeout(() => resolve('time'), Math.max(0, start + seconds * 1000 - clock()));
    });
  const over = input.done.then(async () => {
    if (!input.early() && elapsed() < duration) await at(duration);
    return 'over' as const;
  });
  let covered = 0;
  const emit = (t: number): void => {
    if (elapsed() <= covered) return;
    const line = report.interval(rounded(t), () => {
      const before = covered;
      covered = elapsed();
      return Number((covered - before).toFixed(6));
    });
    write(line);
  };
  for (let second = 1; ; second += 1) {
    const due = second >= duration && second < duration + 1 ? duration : second;
    const woken = await Promise.race([over, at(due === duration ? due + GRACE / 1000 : due)]);
    if (woken === 'over') {
      clearTimeout(timer);
      emit(!input.early() && covered < duration ? duration : elapsed());
      return Number(covered.toFixed(6));
    }
    emit(due);
  }
}
