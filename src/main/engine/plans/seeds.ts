import { randomInt } from 'node:crypto';
import type { Measure } from '../../../shared/model/experiment.ts';
import type { Plan, Trial } from '../../../shared/model/plan.ts';
import type { Part } from '../tools/tool.ts';

/** More generators than one session has. */
const GENERATORS = 64;
/** Trials are scattered over so many places, of which each has room for the generators: all seeds fit into 31 bits. */
const PLACES = 2 ** 25;
const REPEATS = 1000;

/**
 * Seed of the random numbers of one step of a trial, 1 to 2^31 - 1: another for each run of a session, and for each `session` by the number
 * that was drawn for it. With one seed for all, an UPDATE of the second trial, or of the second session, would write the values that its rows
 * already have, which costs a server less. With `seeds: fixed` a person wants that. Without `session`: as a plan shows it before the
 * start, and of sessions of earlier versions.
 */
export function trialSeed(
  { seed, seeds }: Measure,
  { cell, repeat, step = 0, steps = 1 }: Pick<Trial, 'cell' | 'repeat'> & { step?: number; steps?: number },
  session = 0,
): number {
  if (seeds === 'fixed') return seed;
  return (
    scattered((scattered((seed + session) % PLACES) + (cell * steps + step) * REPEATS + repeat) % PLACES) * GENERATORS +
    1
  );
}

/** The plan of a session that starts now: its trials draw random numbers that no session before it has drawn. */
export function drawnPlan(plan: Plan, measure: Measure): Plan {
  const seed = randomInt(1, PLACES);
  return { ...plan, seed, trials: plan.trials.map((trial) => ({ ...trial, seed: trialSeed(measure, trial, seed) })) };
}

/** What generator `part` of a trial gets: with one seed, all would ask for the same rows at the same time. */
export const generatorSeed = (seed: number, { index }: Part): number => seed + index;

/** A permutation of the places: neighbours end up far apart, and no two at the same. Each step can be undone, so none is lost. */
function scattered(place: number): number {
  let bits = place;
  for (const [factor, shift] of ROUNDS) {
    bits = (Math.imul(bits, factor) >>> 0) % PLACES;
    bits ^= bits >>> shift;
  }
  return bits;
}

/** Odd factors, as of the finaliser of MurmurHash3. */
const ROUNDS = [
  [0x85ebca6b, 13],
  [0xc2b2ae35, 12],
  [0x27d4eb2f, 14],
] as const;
