import { needOf } from '../data/index.ts';
import { overwritesIn } from '../facts/index.ts';
import { stepsOf } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import type { PreflightState } from './state.ts';

/** Trials that change data, files or a disk. Of disks those that may be overwritten: the others refuse the start. */
export async function countWriting(
  context: RunsContext,
  {
    experiment,
    tool,
    cells,
    granted,
    targets,
  }: Pick<PreflightState, 'experiment' | 'tool' | 'cells' | 'granted' | 'targets'>,
): Promise<number> {
  // A target that is missing or does not answer has a check of its own.
  if (targets.some(({ connection }) => connection === undefined)) return 0;
  const { repeats, seed } = experiment.measure;
  let writing = 0;
  for (const step of stepsOf(cells)) {
    const isWriting =
      needOf(context, experiment, step)?.written ??
      (granted.length > 0 && (await overwritesIn(context, tool, step, seed)));
    if (isWriting) writing += 1;
  }
  return writing * repeats;
}
