import { randomInt } from 'node:crypto';
import type { Measure } from '../../../shared/model/experiment.ts';
import type { Plan, Trial } from '../../../shared/model/plan.ts';
import type { Part } from '../tools/tool.ts';

/** More generators than any session has. */
const GENERATORS = 64;
/** Trials are scattered over this many places, each with room for the generators, so all seeds fit into 31 bits. */
const PLACES = 2 ** 25;
const REPEATS = 1000;

/**
 * Seed for the random numbers of one step of a trial, 1 to 2^31 - 1. It differs between the runs of a session and, by the drawn number
 * `session`, between sessions. With a single seed, an UPDATE in the second trial or session would write the values that its rows already
 * have, which is cheaper for a server. `seeds: fixed` asks for that. Without `session`: the seed that a plan shows before the start, and
 * that sessions of earlier versions have.
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

/** The plan of a session that starts now: its trials draw random numbers that no earlier session has drawn. */
export function drawnPlan(plan: Plan, measure: Measure): Plan {
  const seed = randomInt(1, PLACES);
  return { ...plan, seed, trials: plan.trials.map((trial) => ({ ...trial, seed: trialSeed(measure, trial, seed) })) };
}

/** Seed of generator `part` of a trial: with the same seed, all would access the same rows at the same time. */
export const generatorSeed = (seed: number, { index }: Part): number => seed + index;

/** A permutation of the places: neighbours end up far apart. Each step is invertible, so no two places collide. */
function scattered(place: number): number {
  let bits = place;
  for (const [factor, shift] of ROUNDS) {
    bits = (Math.imul(bits, factor) >>> 0) % PLACES;
    bits ^= bits >>> shift;
  }
  return bits;
}

/** Odd factors, from the finalizer of MurmurHash3. */
const ROUNDS = [
  [0x85ebca6b, 13],
  [0xc2b2ae35, 12],
  [0x27d4eb2f, 14],
] as const;
