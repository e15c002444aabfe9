import { expandCells } from '../../plans/index.ts';
import type { RunsContext } from '../context.ts';
import { needOf } from '../data/kinds.ts';
import { overwritesIn } from '../devices.ts';
import type { Knowledge } from './knowledge.ts';

/** Trials that change data, files or a disk. Of disks those that may be overwritten: the others refuse the start. */
export async function countWriting(
  context: RunsContext,
  { experiment, granted, targets }: Pick<Knowledge, 'experiment' | 'granted' | 'targets'>,
): Promise<number> {
  // A target that is missing or does not answer has a check of its own.
  if (targets.some(({ connection }) => connection === undefined)) return 0;
  let cells = 0;
  for (const cell of expandCells(experiment)) {
    const isWriting =
      needOf(context, experiment, cell)?.written ??
      (granted.length > 0 && (await overwritesIn(context, experiment, cell)));
    if (isWriting) cells += 1;
  }
  return cells * experiment.measure.repeats;
}
