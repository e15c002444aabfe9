import type { Levels } from '../../../shared/model/experiment.ts';
import { type Factor, levelsOf } from '../../../shared/model/factor.ts';
import type { FactorRatios, SessionResult } from '../../../shared/model/result.ts';
import { marginOf } from '../../../shared/stats/index.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import { allPairs, pairLevels, type Question, sameLevel } from './pairs.ts';
import { summaryOf } from './verdict-words.ts';
import { judgeCells } from './verdicts.ts';

/** Levels that ratios refer to: requested ones before those of the document. `''`, or a text that is no level: none. */
export function baselinesOf(factors: readonly Factor[], asked: Levels = {}): Levels {
  const named = factors.map((factor) => {
    const wanted = asked[factor.name] ?? factor.baseline;
    return [factor.name, levelsOf(factor).find((level) => wanted !== undefined && sameLevel(level, wanted))] as const;
  });
  return Object.fromEntries(named.flatMap(([name, level]) => (level === undefined ? [] : [[name, level]])));
}

/**
 * Compares every cell with the one that has the baseline of a factor and otherwise the same levels: a separate comparison for each factor, with the
 * same result as Compare for these levels. Cells without a level of the factor have no ratio.
 */
export function ratiosOf(
  { metric, cells }: Pick<SessionResult, 'metric' | 'cells'>,
  baselines: Levels,
  later: readonly number[],
  /** `ranked`: factor whose baseline was chosen for its measurement. `steps`: see `Question`. */
  { ranked, steps }: { ranked?: string | undefined; steps?: number } = {},
): FactorRatios[] {
  return Object.entries(baselines).flatMap(([factor, level]): FactorRatios[] => {
    const varied = cells.filter(({ levels }) => levels[factor] !== undefined);
    if (!varied.some(({ levels }) => sameLevel(levels[factor], level))) return [];
    const question: Question = {
      ...{ metric, margin: marginOf(metric), basis: 'levels' },
      later: { baseline: later, other: later },
      ...(steps !== undefined && { steps }),
    };
    const others = [...new Set(varied.flatMap(({ levels }) => levels[factor] ?? []))].filter(
      (each) => !sameLevel(each, level),
    );
    const pairs =
      factor === ranked
        ? allPairs(varied, factor, [level, ...others])
        : pairLevels({ cells: varied }, { factor, level });
    const judged = judgeCells(pairs, question).cells.filter(
      ({ baseline }) => baseline === undefined || sameLevel(baseline.levels[factor], level),
    );
    const compared = judged.filter(({ baseline }) => baseline !== undefined);
    const alone = `No cell has exactly one partner with ${formatLevels({ [factor]: level })} and the same other levels.`;
    return [
      {
        ...{ factor, level, verdict: compared.length === 0 ? alone : summaryOf(judged, question) },
        cells: compared.flatMap(({ other, baseline, ratio, interval, verdict, sentence }) =>
          other && baseline
            ? [
                {
                  ...{ cell: other.cell, baseline: baseline.cell, verdict, sentence },
                  ...(ratio !== undefined && { ratio }),
                  ...(interval && { interval }),
                },
              ]
            : [],
        ),
      },
    ];
  });
}
