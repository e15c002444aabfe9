import { expect, test } from 'vitest';
import { Lags } from './context.ts';

test('a run lags like its slowest generator, until that one has ended', () => {
  const lags = new Lags();
  expect(lags.of(1, 10_000)).toBeUndefined();
  lags.note(1, 0, 1_000);
  lags.note(1, 1, 9_700);
  lags.note(2, 0, 5_000);
  expect(lags.of(1, 10_000)).toBe(9_000);
  lags.note(1, 0, 9_800);
  expect(lags.of(1, 10_000)).toBe(300);
  lags.forget(1, 1);
  expect(lags.of(1, 10_000)).toBe(200);
  lags.forget(1, 0);
  expect(lags.of(1, 10_000)).toBeUndefined();
  lags.forget(1, 0);
  expect(lags.of(2, 10_000)).toBe(5_000);
});

test('the lag grows while nothing arrives, and is never negative with a clock that is ahead', () => {
  const lags = new Lags();
  lags.note(1, 0, 10_200);
  expect(lags.of(1, 10_000)).toBe(0);
  expect(lags.of(1, 30_200)).toBe(20_000);
});
