import { describe, expect, it } from 'vitest';
import type { Measure } from '../../../shared/model/experiment.ts';
import { generatorSeed, trialSeed } from './seeds.ts';

const measure = (more: Partial<Measure> = {}): Measure => ({
  warmup: 0,
  duration: 10,
  repeats: 5,
  order: 'rounds',
  seed: 1,
  pause: 0,
  ...more,
});

const CELLS = 4000;
const seedsOf = (wanted: Measure): number[] =>
  Array.from({ length: CELLS }, (_, cell) =>
    Array.from({ length: wanted.repeats }, (_, repeat) => trialSeed(wanted, { cell, repeat })),
  ).flat();

describe('the seed of a trial', () => {
  it('is unique among 20,000 trials of 16 generators, and within the range of every tool', () => {
    const seeds = seedsOf(measure());
    const all = seeds.flatMap((seed) =>
      Array.from({ length: 16 }, (_, index) => generatorSeed(seed, { index, count: 16 })),
    );
    expect(new Set(all).size).toBe(20_000 * 16);
    expect(Math.min(...seeds)).toBeGreaterThan(0);
    expect(all.every((seed) => Number.isInteger(seed) && seed < 2 ** 31)).toBe(true);
  });

  it('is the same for the same cell and repeat, in any order of the trials', () => {
    expect(seedsOf(measure({ order: 'shuffled' }))).toEqual(seedsOf(measure()));
  });

  it('differs in an experiment with another seed', () => {
    const others = new Set(seedsOf(measure({ seed: 2 })));
    expect(seedsOf(measure()).filter((seed) => others.has(seed)).length).toBeLessThan(100);
  });

  it('is well spread: neighbouring trials share no bit pattern', () => {
    const seeds = seedsOf(measure()).slice(0, 2000);
    const differing = seeds.slice(1).map((seed, index) => bitsOf((seed ^ (seeds[index] ?? 0)) >>> 6));
    const mean = differing.reduce((sum, bits) => sum + bits, 0) / differing.length;
    // Half of 25 bits are expected to differ, with a standard error of 0.06.
    expect(Math.abs(mean - 12.5)).toBeLessThan(0.5);
  });

  it('is that of the experiment if all trials should draw the same numbers', () => {
    expect(new Set(seedsOf(measure({ seeds: 'fixed', seed: 7 })))).toEqual(new Set([7]));
  });
});

const bitsOf = (value: number): number => value.toString(2).replaceAll('0', '').length;
