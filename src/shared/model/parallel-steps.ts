import type { Run } from './session.ts';
import { type DocumentStep, wholeSteps } from './step.ts';

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

type Placed = Pick<Run, 'trial'> & {
  readonly step: number;
  readonly startedAt?: number | null;
  readonly endedAt?: number | null;
};

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
