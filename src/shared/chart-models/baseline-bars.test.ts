import { expect, it } from 'vitest';
import { caveatsOf } from '../model/figure.ts';
import type { CellResult, FactorRatios } from '../model/result.ts';
import { baselineBars, chartTheme } from './index.ts';

/** Two settings at two loads; the second is faster by 31 %. `full`: cells whose generator was at its limit. */
function drawn(full: readonly number[]): unknown[] {
  const cells = [1, 2]
    .flatMap((sync) => [1, 8].map((threads) => ({ sync, threads })))
    .map((levels, cell): CellResult => {
      const bound = full.includes(cell)
        ? { verdict: 'generator-cpu' as const, sentence: 'load1 was full.' }
        : undefined;
      const means = [1, 1];
      return {
        ...{ cell, levels, runs: [], means, value: 1, errors: 0, partial: false },
        ...caveatsOf({ partial: false, means, errors: 0, bound }),
      };
    });
  const ratios = {
    ...{ factor: 'sync', level: 1, verdict: '' },
    cells: [2, 3].map((cell) => ({ cell, ratio: 1.31, interval: { low: 1.3, high: 1.32 }, verdict: 'better' })),
  } as unknown as FactorRatios;
  const { option } = baselineBars({ metric: 'tps', cells }, ratios, chartTheme('light'));
  return [option.series].flat().flatMap((series) => (series?.type === 'bar' ? [series.name] : []));
}

it('draws a difference as inconclusive if the generator limited both sides, or the slower one', () => {
  expect(drawn([])).toEqual(['better']);
  expect(drawn([0, 1, 2, 3])).toEqual(['inconclusive']);
  expect(drawn([1, 3])).toEqual(['better', 'inconclusive']);
  expect(drawn([0, 1])).toEqual(['inconclusive']);
});

it('draws a difference with its verdict if the generator limited only the faster side', () => {
  expect(drawn([2, 3])).toEqual(['better']);
});
