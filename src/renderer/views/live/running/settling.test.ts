import { expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import { normalFrom } from '../../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { settlingWords } from './settling.ts';

const run: Run = {
  ...{ id: 1, sessionId: 1, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'running', warmup: 10, duration: 60 },
  ...{ startedAt: 1000, summary: {}, findings: [], partial: false, seconds: 0 },
};
const normal = normalFrom(randomFrom(11));

/** The words at a second of a run whose throughput follows the shape. */
function wordsAt(second: number, shape: (t: number) => number, metric = 'tps'): string | undefined {
  const t = Float64Array.from({ length: second }, (_, index) => index + 1);
  const v = t.map((at) => 1000 * shape(at) * (1 + 0.01 * normal()));
  return settlingWords(run, [{ runId: 1, generator: 0, t, columns: { [metric]: v } }], metric);
}

it('follows a trial from its warm-up to the end', () => {
  const flat = (): number => 1;
  expect(wordsAt(4, flat)).toBe('Warming up: second 4 of 10.');
  expect(wordsAt(20, flat)).toBe('Steady state: needs 30 samples, 10 so far.');
  expect(wordsAt(65, flat)).toBe('Settled so far: no change of 10 % or more since the warm-up.');
});

it('states during the trial that it has not settled, or that the level changed', () => {
  expect(wordsAt(60, (t) => 1 - 0.6 * Math.exp(-t / 30))).toMatch(/^Not settled: throughput has changed by \+\d+ %/);
  expect(wordsAt(70, (t) => (t < 40 ? 1 : 0.7))).toMatch(
    /^Not at one level: throughput changed by −30 % at second (39|40|41)\./,
  );
});

it('is undefined for other metrics, and before the first second', () => {
  expect(wordsAt(60, () => 1, 'latency_p95_ms')).toBeUndefined();
  expect(wordsAt(0, () => 1)).toBeUndefined();
});
