import type { SeriesDifference } from '../../model/analysis.ts';
import type { RunEvidence } from '../evidence.ts';
import { ComparedRuns, seriesDifferences } from '../index.ts';

/** The largest differences between two sides whose runs are all in memory. */
export const differencesOf = (one: readonly RunEvidence[], other: readonly RunEvidence[]): SeriesDifference[] => {
  const [left, right] = [one, other].map((runs) => {
    const side = new ComparedRuns();
    for (const run of runs) side.add(run);
    return side;
  }) as [ComparedRuns, ComparedRuns];
  return seriesDifferences(left, right);
};
