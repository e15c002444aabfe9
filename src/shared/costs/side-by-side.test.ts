import { expect, it } from 'vitest';
import type { Configuration, ValueRow } from '../model/cost.ts';
import { caveatsOf } from '../model/figure.ts';
import { lotWords, pricePerLot, sideBySide } from './index.ts';

const YEAR = 8_760;
const configuration = (id: number, label: string, perHour?: number, currency = 'USD'): Configuration => ({
  ...{ id, changedAt: 0, spec: { label, currency, components: [] } },
  parts: [
    perHour === undefined
      ? { problem: { code: 'bad-request', message: 'The price of Support is missing.' } }
      : { item: { label, perHour, perMonth: 730 * perHour, perYear: YEAR * perHour, how: '', warnings: [] } },
  ],
  ...(perHour !== undefined && {
    total: { currency, perHour, perMonth: 730 * perHour, perYear: YEAR * perHour, items: [] },
  }),
});
const row = (name: string, rate: number, perHour: number, configured?: string): ValueRow => ({
  ...{
    sessionId: 1,
    name,
    system: configured ?? name,
    repeats: 4,
    levels: {},
    rate,
    errors: 0,
    perHour,
    perYear: YEAR * perHour,
    percent: 100,
  },
  ...{ operationsPerDollar: (3600 * rate) / perHour, ...(configured !== undefined && { configuration: configured }) },
});

it('prices a million operations: 500 a second on a machine of 0.408 an hour', () => {
  // 1.8 million per hour cost 0.408: 0.408 / 1.8.
  expect(pricePerLot('tps', row('', 500, 0.408))).toBeCloseTo(0.226_667, 6);
  expect(lotWords({ metric: 'tps', currency: 'USD' })).toBe('USD per million transactions');
  expect(pricePerLot('tps', { operationsPerDollar: 0 })).toBeUndefined();
});

it('prices bytes by the TiB', () => {
  // 100 MiB/s take 10,485.76 s for a TiB.
  expect(pricePerLot('read_mib_s', row('', 100, 3.6))).toBeCloseTo(10.485_76, 9);
  expect(lotWords({ metric: 'read_mib_s', currency: 'EUR' })).toBe('EUR per TiB read');
});

it('notes that a power cut can lose work of the cell', () => {
  const why = 'A power cut can lose the last committed transactions: fsync = off.';
  const notesWith = (level: 'safe' | 'relaxed') =>
    sideBySide([], { metric: 'tps', currency: 'USD', rows: [{ ...row('a', 1, 1), durability: { level, why } }] })[0]
      ?.notes;
  expect([notesWith('relaxed'), notesWith('safe')]).toEqual([[why], []]);
});

it('sorts the cheapest work first, then configurations without work, then those without a price', () => {
  const saved = [
    ...[configuration(1, 'unpriced'), configuration(2, 'dear', 4), configuration(3, 'cheap', 1)],
    ...[configuration(4, 'idle', 2), configuration(5, 'idle in euro', 1, 'EUR')],
  ];
  const rows = [row('A', 1000, 4, 'dear'), row('B', 500, 1, 'cheap'), row('C', 10, 5)];
  const table = sideBySide(saved, { metric: 'tps', currency: 'USD', rows });
  expect(table.map(({ name }) => name)).toEqual(['cheap', 'dear', 'C', 'idle in euro', 'idle', 'unpriced']);
  expect(table[0]).toMatchObject({ configurationId: 3, perHour: 1, perMonth: 730, notes: [] });
  expect(table[0]?.perLot).toBeCloseTo(1 / 1.8, 9);
  expect(table[2]?.configurationId).toBeUndefined();
  expect(table[5]).toMatchObject({
    notes: ['No total: a price is missing.', 'The price of Support is missing.'],
  });
  expect([table[5]?.perHour, table[5]?.perLot]).toEqual([undefined, undefined]);
});

it('uses the price assigned to a session, and notes that the configuration has changed', () => {
  const rows = [row('A', 1000, 2, 'm5')];
  const [table] = sideBySide([configuration(1, 'm5', 3)], { metric: 'tps', currency: 'USD', rows });
  expect(table?.perHour).toBe(2);
  expect(table?.notes).toEqual(['Priced as assigned to A. Saved now: $3.00 per hour.']);
});

it('explains why a configuration has no work', () => {
  const omitted = [{ sessionId: 1, name: 'A', configuration: 'm5', why: 'No cell has figures of Transactions.' }];
  expect(sideBySide([configuration(1, 'm5', 3)], undefined, omitted)[0]?.notes).toEqual([
    'No cell has figures of Transactions.',
  ]);
});

it('notes if the load, not the priced system, was the limit', () => {
  const caveats = (verdict: 'network' | 'cpu') =>
    caveatsOf({
      ...{ partial: false, means: [1, 1], errors: 0 },
      bound: { verdict, sentence: 'Link eth0 of db1 at its limit.' },
    });
  const notes = (verdict: 'network' | 'cpu') =>
    sideBySide([], { metric: 'tps', currency: 'USD', rows: [{ ...row('A', 1000, 4), ...caveats(verdict) }] })[0]?.notes;
  expect(notes('network')).toEqual(['Limited by the network, not by the system under test.']);
  expect(notes('cpu')).toEqual([]);
});
