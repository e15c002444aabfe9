import type { Plan } from './plan.ts';
import type { Run } from './session.ts';

type Place = Pick<Run, 'cell' | 'repeat'>;

/** Returns whether a run is a canary trial of the plan: these detect drift of the machines and are not repeats of their cell. */
export function canariesOf({ trials }: Pick<Plan, 'trials'>): (run: Place) => boolean {
  const keyOf = ({ cell, repeat }: Place): string => `${cell} ${repeat}`;
  const canaries = new Set(trials.filter(({ canary }) => canary).map(keyOf));
  return canaries.size === 0 ? () => false : (run) => canaries.has(keyOf(run));
}

/** Number of the repeat of its cell that a run is, from 1; or that it is a canary. */
export const repeatWords = (run: Place, isCanary: (run: Place) => boolean): string =>
  isCanary(run) ? 'canary' : `repeat ${run.repeat + 1}`;
