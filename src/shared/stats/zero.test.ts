import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth } from '../util/testing/depth.ts';
import { percentile } from './spread.ts';
import { type OutputWorld, outputOf } from './testing/output-worlds.ts';
import { type ToolZero, toolZero } from './zero.ts';

const SEED = Number(process.env.KNEEPOINT_SEED ?? 20_269);
const WORLDS = atDepth(50, 6);
const USUAL: OutputWorld = { seconds: 60, interval: 1, jitter: 0.004, look: 1.09 };

interface Answers {
  answers: ToolZero[];
  /** Share of results whose stated error covers the truth. */
  covered: number;
  /** Median of the stated errors. */
  median: number;
  largest: number;
}

function answersIn(world: OutputWorld): Answers {
  const random = randomFrom(SEED);
  const found = Array.from({ length: WORLDS }, () => {
    const zero = 1_700_000_000 + 100 * random();
    const { index, samples } = outputOf(world, zero, random);
    const answer = toolZero(index, samples);
    return answer && { answer, covers: Math.abs(answer.at - zero) <= answer.error };
  }).filter((entry) => entry !== undefined);
  const errors = found.map(({ answer }) => answer.error).sort((a, b) => a - b);
  return {
    answers: found.map(({ answer }) => answer),
    covered: found.filter(({ covers }) => covers).length / found.length,
    median: percentile(errors, 50),
    largest: Math.max(...errors),
  };
}

describe(`second 0 of a tool, in ${WORLDS} worlds of each kind (seed ${SEED})`, () => {
  it.each<[string, Partial<OutputWorld>, number]>([
    ['that prints at once', {}, 0.1],
    ['of ten seconds', { seconds: 10 }, 0.35],
    ['whose lines jitter by a twentieth of a second', { jitter: 0.05 }, 0.15],
    ['whose lines jitter by a fifth of a second', { jitter: 0.2 }, 0.3],
    ['some of whose lines are late by seconds', { straggling: 0.05 }, 0.2],
    ['that pauses for a fifth of its time', { pause: { from: 20.4, to: 32.7 } }, 0.15],
    ['that pauses from its start', { pause: { from: 0.5, to: 9.3 } }, 0.15],
    ['that prints ten times a second', { interval: 0.1, seconds: 30 }, 0.1],
    ['that prints every third of a second, late', { interval: 0.333, jitter: 0.05 }, 0.15],
    ['that prints two lines a second', { lines: 2 }, 0.1],
    ['that prints every ten seconds', { interval: 10, seconds: 300 }, 0.2],
    ['of ten minutes', { seconds: 600 }, 0.1],
    ['looked at once a second by earlier versions', { look: 1, seconds: 120 }, 0.4],
    ['of ten seconds, looked at once a second', { look: 1, seconds: 10 }, 0.6],
  ])('%s', (_, change, median) => {
    const result = answersIn({ ...USUAL, ...change });
    expect(result.answers.length).toBeGreaterThanOrEqual(0.9 * WORLDS);
    expect(result.covered).toBeGreaterThanOrEqual(0.99);
    expect(result.median).toBeLessThan(median);
    expect(result.largest).toBeLessThanOrEqual(1);
  });

  it.each<[string, Partial<OutputWorld>]>([
    ['in bursts of four kilobytes', { buffer: 4096, seconds: 300 }],
    ['in bursts of half a kilobyte', { buffer: 512 }],
    ['at its end', { buffer: 1_000_000 }],
    ['after a pause of nearly all its time', { pause: { from: 0.5, to: 55 } }],
  ])('is unknown for one that prints %s', (_, change) => {
    const { answers } = answersIn({ ...USUAL, ...change });
    expect(answers.length).toBe(0);
  });

  it('is unknown with two samples, or without observed bytes', () => {
    const { index, samples } = outputOf(USUAL, 1000, randomFrom(SEED));
    expect(toolZero(index, samples.slice(0, 2))).toBeUndefined();
    expect(toolZero({ clock: index.clock, bytes: Array.from(index.bytes, () => 0) }, samples)).toBeUndefined();
    expect(toolZero({ clock: [], bytes: [] }, samples)).toBeUndefined();
  });
});
