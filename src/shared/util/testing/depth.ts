/**
 * How much a test tries: enough by day to see a defect, all of it with `KNEEPOINT_DEPTH=night`. The night repeats every test that
 * imports this file or a helper that does (`scripts/test/tiers.ts`).
 */
export const NIGHT = process.env.KNEEPOINT_DEPTH === 'night';

/**
 * `it` or `test` for what only the night tries; by day it is not registered, as in `byDay`. A file of which the day needs nothing is called
 * `*.night.*` (`scripts/test/tiers.ts`). What the day proves instead is in `docs/tests.md`.
 */
export const atNight = <Test extends (...given: never[]) => unknown>(test: Test): Test =>
  (NIGHT ? test : () => {}) as Test;

/** How often something is tried. */
export const atDepth = (night: number, day: number): number => (NIGHT ? night : day);

/**
 * Of several kinds that go the same way: by day those that are chosen, or the first where none of those is there; all at night. What is
 * left out is not registered: a test that is skipped has failed where nothing may be left out.
 */
export function byDay<Kind>(all: readonly Kind[], isChosen: (kind: Kind, index: number) => boolean): readonly Kind[] {
  if (NIGHT) return all;
  const chosen = all.filter(isChosen);
  return chosen.length > 0 ? chosen : all.slice(0, 1);
}

/** One in so many limits fails by day although the true share is just at it. Seeds are fixed: it fails always or never. */
const FALSE_ALARMS = 1000;

/**
 * Most of `count` simulated worlds that may go wrong where a share of them may. By night this is the share itself; the few worlds of
 * the day may exceed it by as much as chance explains (quantile of the binomial distribution).
 */
export function mostOf(count: number, share: number): number {
  if (NIGHT || share >= 1) return share * count;
  let chance = (1 - share) ** count;
  let most = 0;
  for (let sum = chance; sum < 1 - 1 / FALSE_ALARMS && most < count; sum += chance) {
    chance *= ((count - most) / (most + 1)) * (share / (1 - share));
    most += 1;
  }
  return most;
}

/** Least of `count` simulated worlds that must go right where a share of them must. */
export const leastOf = (count: number, share: number): number => count - mostOf(count, 1 - share);
