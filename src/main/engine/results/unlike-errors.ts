import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell } from '../../../shared/model/result.ts';
import { errorRate } from '../../../shared/model/result-words.ts';
import { formatCount, formatLevels, formatShort } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import { warning } from './warnings.ts';

/** Errors of the cells that meet: those whose rates differ, and that there were any. `differ`: whether they do, in the order of the cells. */
export function errorFindings(cells: readonly ComparedCell[], differ: readonly boolean[]): Finding[] {
  const unlike = cells.filter((_, index) => differ[index]);
  if (unlike.length > 0) {
    const rate = (cell: ComparedCell['other']): string => formatShort((cell && errorRate(cell)) ?? 0);
    const words = unlike.map(
      ({ levels, baseline, other }) =>
        `${formatLevels(levels) || 'the only cell'} from ${rate(baseline)} to ${rate(other)} per s`,
    );
    return [
      warning(
        'errors-differ',
        `Errors differ in ${formatCount(unlike.length, 'cell')}: ${named(words)}.`,
        'Failed operations are not completed work: examine the errors before comparing figures.',
      ),
    ];
  }
  const erroneous = cells.filter(({ baseline, other }) => baseline && other && baseline.errors + other.errors > 0);
  if (erroneous.length === 0) return [];
  return [
    {
      code: 'errors-compared',
      severity: 'note',
      message: `There were errors in ${formatCount(erroneous.length, 'cell')} compared: ${named(erroneous.map(({ levels }) => formatLevels(levels) || 'the only cell'))}.`,
      next: 'Their rates cannot be told apart, but failed operations are not completed work.',
    },
  ];
}
