import type { Experiment } from './experiment.ts';
import type { Levels } from './factor.ts';

type Paused = Pick<Experiment, 'factors'> & { readonly measure: Pick<Experiment['measure'], 'pause'> };

/**
 * Seconds between two trials with these levels: the longest pause among the factors whose levels differ. The pause of the session applies
 * to factors without their own, and to the next repeat of the same cell.
 */
export function pauseBetween({ factors, measure }: Paused, last: Levels, next: Levels): number {
  const changed = factors.filter(({ name }) => last[name] !== next[name]);
  return changed.length === 0 ? measure.pause : Math.max(...changed.map(({ pause = measure.pause }) => pause));
}

/** Seconds of all pauses between trials with these levels, in their order. */
export const pausesOf = (experiment: Paused, trials: readonly Levels[]): number =>
  trials.reduce((sum, levels, at) => {
    const last = trials[at - 1];
    return last ? sum + pauseBetween(experiment, last, levels) : sum;
  }, 0);

/** Whether all pauses between trials have the same length. */
export const pausesAlike = ({ factors }: Pick<Experiment, 'factors'>): boolean =>
  factors.every(({ pause }) => pause === undefined);
