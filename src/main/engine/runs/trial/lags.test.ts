import { expect, test } from 'vitest';
import { Lags } from './lags.ts';

test('a run is as late as the latest of its generators, until that one has ended', () => {
  const lags = new Lags();
  expect(lags.of(1)).toBeUndefined();
  lags.note(1, 0, 9_000);
  lags.note(1, 1, 300);
  lags.note(2, 0, 20_000);
  expect(lags.of(1)).toBe(9_000);
  lags.note(1, 0, 200);
  expect(lags.of(1)).toBe(300);
  lags.forget(1, 1);
  expect(lags.of(1)).toBe(200);
  lags.forget(1, 0);
  expect(lags.of(1)).toBeUndefined();
  lags.forget(1, 0);
  expect(lags.of(2)).toBe(20_000);
});
