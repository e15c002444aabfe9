import { isCounted } from '../../../shared/model/repeats.ts';
import { type JudgedCell, judgesSteadiness, steadySession } from '../../../shared/stats/index.ts';
import type { RunRow } from '../store/store.ts';
import { type SteadyRuns, steadyFacts } from './group-facts.ts';
import type { Workings } from './workings.ts';

/**
 * Judges cell by cell, while the seconds of a cell are at hand. How many cells are judged together is known at the end only: where it is not as
 * expected, as damage was met, all of them are judged again.
 */
export function steadinessOf(workings: Workings, metric: string, repeats: readonly RunRow[]) {
  const isExpected = (run: RunRow): boolean => isCounted(run) && workings.metrics(run.id).includes(metric);
  const expected = judgesSteadiness(metric) ? new Set(repeats.filter(isExpected).map(({ cell }) => cell)).size : 0;
  const judged: (SteadyRuns & JudgedCell)[] = [];
  const judge = (cell: SteadyRuns, cells: number) => ({ ...cell, ...steadyFacts(workings, cell, metric, cells) });
  return {
    add(cell: SteadyRuns): void {
      if (judgesSteadiness(metric) && cell.runs.length > 0) judged.push(judge(cell, expected));
    },
    judged: () => steadySession(judged.length === expected ? judged : judged.map((cell) => judge(cell, judged.length))),
  };
}
