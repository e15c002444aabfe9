import { expect, it } from 'vitest';
import type { FigureBound } from '../../../shared/model/analysis.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import { assumedOf, cheapestOf, fittingFirst, measuredRows, neededRate } from './answer.ts';

const row = (
  name: string,
  rate: number,
  perHour: number,
  more: { errors?: number; asOf?: string; session?: string; bound?: FigureBound } = {},
) => {
  const { session = 'Ladder', errors = 0, asOf, bound } = more;
  const operationsPerDollar = (3600 * rate) / perHour;
  return {
    ...{ key: `${name} ${session}`, name, parts: [], currency: 'USD', perHour, notes: [] },
    perLot: 1e6 / operationsPerDollar,
    work: {
      ...{ sessionId: 1, name: session, system: name, repeats: 4, levels: {}, rate, perHour, perYear: 8760 * perHour },
      ...{
        operationsPerDollar,
        percent: 100,
        errors,
        ...(asOf !== undefined && { asOf }),
        ...caveatsOf({ partial: false, means: [1, 1], errors, bound }),
      },
    },
  };
};
const scale = { metric: 'tps', currency: 'USD', rows: [] };

it('mentions errors', () => {
  const dated = measuredRows([row('small', 3000, 0.2, { asOf: '2026-07-20', errors: 12 })]);
  // 3,000 tps are 10.8 million per hour: 0.2 / 10.8.
  expect(cheapestOf(dated, scale)).toBe(
    'Lowest cost: small, $0.0185 for a million transactions, at 3,000 tps, with 12 errors.',
  );
  // A configuration that was not measured may cost less.
  expect(cheapestOf(dated, scale, true)).toMatch(/^Lowest cost of the measured ones: small, /);
});

it('lists sessions with the metric of the goal first', () => {
  const sessions = ['iops', 'tps', null, 'tps'].map((primaryMetric, id) => ({ id, primaryMetric }));
  expect(fittingFirst(sessions, 'tps').map(({ id }) => id)).toEqual([1, 3, 0, 2]);
});

it('distinguishes rows of one configuration by their sessions', () => {
  const twice = measuredRows([
    row('m5', 1, 1, { session: 'before' }),
    row('m5', 2, 1, { session: 'after' }),
    row('r5', 2, 1),
  ]);
  expect(twice.map(({ title }) => title)).toEqual(['m5 (before)', 'm5 (after)', 'r5']);
});

it('mentions that the load was the limit', () => {
  const bound: FigureBound = { verdict: 'generator-network', sentence: 'Link eth0 of load1 at its limit.' };
  const bounded = measuredRows([row('small', 3000, 0.2, { bound })]);
  const words = ', limited by the network of the load generator, not by the system under test.';
  for (const sentence of [cheapestOf(bounded, scale)]) expect(sentence.endsWith(words), sentence).toBe(true);
});

it('states the rate that a more expensive one must reach if throughput is assumed equal', () => {
  const same = measuredRows([row('large', 3000, 1.5), row('small', 3000, 0.2), row('medium', 3000, 0.3)]);
  // 3,000 × 1.5 / 0.2 and 3,000 × 0.3 / 0.2.
  expect(same.map(({ key }) => neededRate(same, key))).toEqual([22_500, undefined, expect.closeTo(4500, 9)]);
  expect(assumedOf(same, scale)).toBe(
    'With equal throughput assumed, the cheapest always wins. medium is worth its price if it reaches 4,500 tps where small reaches 3,000 tps.',
  );
  expect(assumedOf(same.slice(0, 1), scale)).toBe('');
});
