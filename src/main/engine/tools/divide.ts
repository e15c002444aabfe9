import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import type { Part } from './tool.ts';

/** A generator's part of something countable; the first ones have one more where it does not come out even. Throws when one would have none. */
export function shareOf(what: [one: string, many: string], total: number, { index, count }: Part): number {
  if (total < count) {
    throw cannotDivide(
      `${formatCount(total, ...what)} cannot be divided between ${count} generators: one of them would have nothing to do.`,
      `Use at least ${formatCount(count, ...what)} in every cell, or fewer generators.`,
    );
  }
  return Math.floor(total / count) + (index < total % count ? 1 : 0);
}

/** What the generators before this one have of it: where its part begins. */
export const startOf = (what: [one: string, many: string], total: number, { index, count }: Part): number =>
  Array.from({ length: index }, (_, before) => shareOf(what, total, { index: before, count })).reduce(
    (sum, share) => sum + share,
    0,
  );

export const cannotDivide = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });
