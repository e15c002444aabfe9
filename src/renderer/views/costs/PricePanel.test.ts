import { expect, it } from 'vitest';
import { answerOf } from './PricePanel.tsx';

const row = (name: string, rate: number, perHour: number) => ({
  sessionId: 1,
  name,
  levels: {},
  rate,
  perHour,
  perYear: 8760 * perHour,
  operationsPerDollar: (3600 * rate) / perHour,
  percent: 100,
  errors: 0,
});
const value = { metric: 'tps', currency: 'USD', rows: [row('large', 9000, 1.5), row('small', 3000, 0.2)] };

it('names the cheapest that reaches a goal', () => {
  expect(answerOf(value, 2500)).toBe('Cheapest for that: small, 3,000 tps at $0.200 per hour.');
  expect(answerOf(value, 3001)).toBe('Cheapest for that: large, 9,000 tps at $1.50 per hour.');
});

it('says what there is when none does', () => {
  expect(answerOf(value, 10_000)).toBe('None reaches that; the most is 9,000 tps, by large.');
  expect(answerOf({ ...value, rows: [] }, 1)).toBe('');
});

it('says of when the price is, and that there were errors', () => {
  const scale = { ...value, rows: [{ ...row('small', 3000, 0.2), asOf: '2026-07-20', errors: 12 }] };
  expect(answerOf(scale, 1)).toBe(
    'Cheapest for that: small, 3,000 tps at $0.200 per hour, prices of 2026-07-20, with 12 errors.',
  );
});
