import type { PlanInput, ToolPlan } from '../tool.ts';
import type { ObservationOptions } from './options.ts';

/** The two lines that it prints: without the second one it has not lasted its whole time. */
export const BEGINS = /^Watching for \d+ s\.$/;
export const WHOLE = 'The whole time has passed.';

/** One `sleep` for the whole time: a loop would be a process each second, which is load on the host that is watched. */
const WAIT = `echo "Watching for $1 s."; sleep "$1" && echo "${WHOLE}"`;

/** Nothing but a wait: what is watched, and by what, is not the tool's. */
export function planObservation({ warmup, duration }: PlanInput<ObservationOptions>): ToolPlan {
  const seconds = Math.ceil(warmup + duration);
  return {
    run: {
      argv: ['sh', '-c', WAIT, 'kneepoint-observation', String(seconds)],
      env: { LC_ALL: 'C' },
      files: [],
      plannedSeconds: seconds,
    },
  };
}
