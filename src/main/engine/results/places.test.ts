import { expect, it } from 'vitest';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import type { Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';
import { sessionPlaces, sessionResult } from './index.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

const FACTORS = { depth: [1, 8] };
const cells = cellsOf(FACTORS);

/** Two repeats of two cells: `a` does three times as much as `b`; the first second is warm-up. */
const measured = (cell: number, repeat: number): Measured => {
  const b = 100 * (cell + 1) + 10 * repeat;
  const seconds = (value: number): number[] => [9999, value, value, value];
  return {
    ...{ cell, repeat },
    seconds: { iops: seconds(4 * b), 'place:/mnt/a:_iops': seconds(3 * b), 'place:/mnt/b:_iops': seconds(b) },
  };
};

it('calculates the figures of places like those of cells, after the same cut', () => {
  const runs = [0, 1].flatMap((cell) => [0, 1].map((repeat) => measured(cell, repeat)));
  const experiment = {
    ...experimentOf(FACTORS),
    derived: [{ name: 'share of a', is: 'figure("place:/mnt/a:_iops") / iops' }],
  };
  const sessionId = storeSession(store, cells, runs, experiment);
  const context = { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } };
  const figures = { primary: 'iops', failures: [] };
  expect(sessionPlaces(store, context, figures, { sessionId, warmup: 1 })).toEqual({
    metrics: ['iops'],
    rows: [
      [0, '/mnt/a', 315],
      [0, '/mnt/b', 105],
      [0, undefined, 420],
      [1, '/mnt/a', 615],
      [1, '/mnt/b', 205],
      [1, undefined, 820],
    ].map(([cell, place, value]) => ({
      ...{ cell, levels: { depth: cell === 0 ? 1 : 8 }, values: [value] },
      ...(place !== undefined && { place }),
    })),
  });
  const metric = sessionResult(store, context, figures, { sessionId, metric: 'iops', warmup: 1 }).metrics.find((id) =>
    id.startsWith('measure:share of a:'),
  );
  const shares = sessionResult(store, context, figures, { sessionId, metric: metric ?? '', warmup: 1 });
  expect(shares.cells.map(({ value }) => value)).toEqual([0.75, 0.75]);
});

it('has none for a load with one place', () => {
  const experiment = experimentOf(FACTORS);
  const sessionId = storeSession(store, cells, [{ cell: 0, repeat: 0, seconds: { iops: [1, 2, 3] } }], experiment);
  const context = { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } };
  expect(sessionPlaces(store, context, { primary: 'iops', failures: [] }, { sessionId })).toBeUndefined();
});
