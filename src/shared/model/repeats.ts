import type { Plan } from './plan.ts';
import type { Run } from './session.ts';
import { ENDED_RUN, FAILED_RUN } from './states.ts';

type Place = Pick<Run, 'id' | 'cell' | 'repeat' | 'step'>;

const placeOf = ({ cell, repeat, step = 0 }: Place): string => `${cell} ${repeat} ${step}`;

/** Ids of the runs replaced by a later one: the same step of the same repeat of the same cell, measured again. */
function replacedRuns(runs: readonly Place[]): Set<number> {
  const latest = new Map<string, number>();
  for (const run of runs) latest.set(placeOf(run), Math.max(run.id, latest.get(placeOf(run)) ?? run.id));
  return new Set(runs.filter((run) => latest.get(placeOf(run)) !== run.id).map(({ id }) => id));
}

/** The run that replaced this one; undefined if there is none. */
export const replacementOf = <T extends Place>(run: Place, runs: readonly T[]): T | undefined =>
  runs
    .filter((other) => other.id > run.id && placeOf(other) === placeOf(run))
    .sort((one, other) => other.id - one.id)[0];

/** Why a run is excluded, and its replacement; undefined if it is not excluded. */
export function exclusionWords(
  run: Place & Pick<Run, 'excluded'>,
  runs: readonly (Place & Pick<Run, 'trial'>)[],
): string | undefined {
  if (!run.excluded) return undefined;
  const by = replacementOf(run, runs);
  return `Excluded${by ? `, replaced by trial ${by.trial + 1}` : ''}: ${run.excluded.reason.replace(/\.$/, '')}.`;
}

/** Whether a run is complete and not excluded by a user. */
export const isCounted = (run: Pick<Run, 'state' | 'partial'> & { excluded?: unknown }): boolean =>
  run.state === 'done' && !run.partial && !run.excluded;

/** Runs that failed or were lost and were not measured again. */
export function failedRuns<T extends Place & Pick<Run, 'state'>>(runs: readonly T[]): T[] {
  const replaced = replacedRuns(runs);
  return runs.filter((run) => FAILED_RUN.includes(run.state) && !replaced.has(run.id));
}

/** Whether a trial can be measured again: it has ended and was not replaced. */
export const isRepeatable = (run: Place & Pick<Run, 'state'>, runs: readonly Place[]): boolean =>
  ENDED_RUN.includes(run.state) && !replacedRuns(runs).has(run.id);

type Repeat = Pick<Run, 'cell' | 'repeat'>;

/** Returns whether a run is a canary trial of the plan: these detect drift of the machines and are not repeats of their cell. */
export function canariesOf({ trials }: Pick<Plan, 'trials'>): (run: Repeat) => boolean {
  const keyOf = ({ cell, repeat }: Repeat): string => `${cell} ${repeat}`;
  const canaries = new Set(trials.filter(({ canary }) => canary).map(keyOf));
  return canaries.size === 0 ? () => false : (run) => canaries.has(keyOf(run));
}

/** Number of the repeat of its cell that a run is, from 1; or that it is a canary. */
export const repeatWords = (run: Repeat, isCanary: (run: Repeat) => boolean): string =>
  isCanary(run) ? 'canary' : `repeat ${run.repeat + 1}`;
