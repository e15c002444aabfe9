import { type DocumentStep, wholeSteps } from './step.ts';

/** Timing of a step in a trial. Seconds; `ends`: it ends by itself, and lasts as long as it takes. */
export interface Timed {
  readonly parallel?: string | undefined;
  readonly from?: number | undefined;
  readonly warmup: number;
  readonly duration: number;
  readonly ends: boolean;
}

/** The turns of a trial in sequence, each with everything that runs at the same time: neighbours in one parallel group. */
export function turnsOf<T extends { readonly parallel?: string | undefined }>(steps: readonly T[]): T[][] {
  const turns: T[][] = [];
  for (const step of steps) {
    const last = turns.at(-1);
    if (last && step.parallel !== undefined && last[0]?.parallel === step.parallel) last.push(step);
    else turns.push([step]);
  }
  return turns;
}

/** Seconds from the start of a parallel group to the end of its loads; undefined if none of them starts with it. */
const loadEnd = (turn: readonly Timed[]): number | undefined => {
  const ends = turn.flatMap(({ from = 0, ends: byItself, warmup, duration }) =>
    from === 0 && !byItself ? [warmup + duration] : [],
  );
  return ends.length > 0 ? Math.max(...ends) : undefined;
};

/**
 * Seconds of the measured part of each step. A load that starts later than its parallel group ends with it: zero or negative if the group
 * has ended by then.
 */
export const fittedDurations = (steps: readonly Timed[]): number[] =>
  turnsOf(steps).flatMap((turn) => {
    const end = loadEnd(turn) ?? Number.POSITIVE_INFINITY;
    return turn.map(({ from = 0, warmup, duration, ends }) =>
      ends || from === 0 ? duration : Math.min(duration, end - from - warmup),
    );
  });

/** A parallel step that begins while another step of its group runs: an event of that step. */
export interface ParallelStepEvent {
  /** Planned seconds after the start of the other step. */
  readonly at: number;
  /** Start of the step, epoch milliseconds. */
  readonly startedAt: number;
  /** Duration in seconds; absent: it has not ended. */
  readonly lasts?: number;
  /** Its line in the timeline. */
  readonly event: string;
}

/** A run of a step in a trial; its times are epoch milliseconds. */
interface Placed {
  readonly trial: number;
  readonly step: number;
  readonly startedAt?: number | null;
  readonly endedAt?: number | null;
}

/** The steps that began after this run in its parallel group, in order. `runs`: all runs of its session. */
export function parallelStepEvents(
  steps: readonly DocumentStep[] | undefined,
  run: Placed,
  runs: () => readonly Placed[],
): ParallelStepEvent[] {
  const whole = wholeSteps(steps ?? []);
  const own = whole[run.step];
  if (own?.parallel === undefined) return [];
  return runs()
    .flatMap((other): ParallelStepEvent[] => {
      const step = whole[other.step];
      if (!step || other.trial !== run.trial || step.parallel !== own.parallel) return [];
      const at = (step.from ?? 0) - (own.from ?? 0);
      const { startedAt, endedAt } = other;
      if (at <= 0 || startedAt == null) return [];
      const lasts = endedAt == null ? undefined : Math.max(0, (endedAt - startedAt) / 1000);
      const event = `The parallel step “${step.name}” begins.`;
      return [{ at, startedAt, ...(lasts !== undefined && { lasts }), event }];
    })
    .sort((one, other) => one.at - other.at);
}
