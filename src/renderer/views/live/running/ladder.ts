import { isCounted } from '../../../../shared/model/repeats.ts';
import type { Run } from '../../../../shared/model/session.ts';

/** Runs drawn behind the running one, at most. */
const MOST = 20;

/** Finished runs that differ from this one in the ladder's factor or the repeat only, oldest first. */
export const earlierOfLadder = (run: Run, runs: readonly Run[], factor: string | undefined): Run[] =>
  runs
    .filter((other) => other.id !== run.id && isCounted(other))
    .filter((other) =>
      Object.entries(run.levels).every(([name, level]) => name === factor || other.levels[name] === level),
    )
    .sort((one, other) => one.trial - other.trial)
    .slice(-MOST);
