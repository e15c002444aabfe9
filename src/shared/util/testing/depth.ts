/**
 * Depth of a test: by day enough to find a defect, with `KNEEPOINT_DEPTH=night` all of it. The night repeats every test that imports this
 * file or a helper that does (`scripts/test/tiers.ts`).
 */
export const NIGHT = process.env.KNEEPOINT_DEPTH === 'night';

/**
 * `it` or `test` for night-only cases; by day they are not registered, as in `byDay`. A file without any day tests is called `*.night.*`
 * (`scripts/test/tiers.ts`). `docs/tests.md` lists the evidence that the day provides instead.
 */
export const atNight = <Test extends (...given: never[]) => unknown>(test: Test): Test =>
  (NIGHT ? test : () => {}) as Test;

/** Number of tries. */
export const atDepth = (night: number, day: number): number => (NIGHT ? night : day);

/**
 * Cases among several similar ones: by day the chosen ones, or the first if none of those is available; all at night. The others are not
 * registered: a skipped test counts as failed where nothing may be skipped.
 */
export function byDay<Kind>(all: readonly Kind[], isChosen: (kind: Kind, index: number) => boolean): readonly Kind[] {
  if (NIGHT) return all;
  const chosen = all.filter(isChosen);
  return chosen.length > 0 ? chosen : all.slice(0, 1);
}

/** One in this many limits fails by day although the true share is exactly at it. Seeds are fixed: it fails always or never. */
const FALSE_ALARMS = 1000;

/**
 * Maximum number of `count` simulated worlds that may go wrong if a share of them may. At night this is the share itself; the few worlds of
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

/** Minimum number of `count` simulated worlds that must go right if a share of them must. */
export const leastOf = (count: number, share: number): number => count - mostOf(count, 1 - share);
