import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { surprisingRuns } from '../../../shared/stats/index.ts';
import { formatLevels, formatNumber } from '../../../shared/util/format.ts';
import type { RunRow } from '../store/store.ts';

/** Runs that lie apart from the other repeats of their cell: to be repeated before anybody explains them. */
export function surprisingFindings(
  cells: readonly Pick<CellResult, 'cell' | 'levels' | 'means' | 'trials'>[],
  runs: readonly Pick<RunRow, 'id' | 'cell' | 'trial'>[],
): Finding[] {
  const counted = cells.filter(({ means, trials }) => trials?.length === means.length);
  return surprisingRuns(counted).flatMap(({ cell, index, ratio }): Finding[] => {
    const of = counted.find((each) => each.cell === cell);
    const run = runs.find((each) => each.cell === cell && each.trial === of?.trials?.[index]);
    if (!of || !run) return [];
    const percent = formatNumber(Math.abs(ratio - 1) * 100);
    const where = formatLevels(of.levels);
    return [
      {
        code: 'surprising-run',
        severity: 'note',
        message: `Trial ${run.trial + 1}${where && ` (${where})`} is ${percent} % ${ratio < 1 ? 'below' : 'above'} the other repeats of its cell, more than repeats of this session vary.`,
        next: 'Repeat it before you explain it.',
        runId: run.id,
      },
    ];
  });
}
