import { describe, expect, it } from 'vitest';
import type { ValueRow } from '../model/cost.ts';
import { loadRanges, loadSentences } from './index.ts';

const row = (name: string, perHour: number, rate: number, interval = true): ValueRow => ({
  ...{ sessionId: name.length, name, system: name, repeats: 4, levels: {}, rate, errors: 0 },
  ...{ perHour, perYear: 8760 * perHour, operationsPerDollar: (rate * 3600) / perHour, percent: 100 },
  ...(interval && { interval: { low: rate * 0.9, high: rate * 1.1 } }),
});
const rangesOf = (rows: readonly ValueRow[]) => loadRanges(rows).map(({ from, to, row: { name } }) => [name, from, to]);

describe('the cheapest system by load', () => {
  it('changes to a more expensive one at the load that no cheaper one surely reaches', () => {
    expect(rangesOf([row('large', 4, 10_000), row('small', 1, 2000), row('middle', 2, 5000)])).toEqual([
      ['small', 0, 1800],
      ['middle', 1800, 4500],
      ['large', 4500, 9000],
    ]);
  });

  it('is never one that costs more and does less, and the faster of two at one price', () => {
    expect(rangesOf([row('dear', 3, 1000), row('small', 1, 2000), row('as dear', 1, 3000)])).toEqual([
      ['as dear', 0, 2700],
    ]);
  });

  it('excludes systems measured once, and says so', () => {
    const rows = [row('once', 0.5, 9000, false), row('small', 1, 2000)];
    expect(rangesOf(rows)).toEqual([['small', 0, 1800]]);
    expect(loadSentences(rows, { metric: 'tps' })).toEqual([
      'Above 1,800 tps, no measured system is sure to be fast enough.',
      '1 system not included: measured once, so without an interval.',
    ]);
    expect(rangesOf([row('once', 0.5, 9000, false)])).toEqual([]);
  });
});
