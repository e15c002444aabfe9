import type { CostResult } from '../model/cost.ts';
import { KneepointError } from '../model/problem.ts';
import { formatMoney } from '../util/format.ts';

/** A count for display: 5,000. */
export const amount = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** A price or rate with all of its decimals: 0.08, 1,116.9, 0.000007. */
export const money = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 9 });

/** Sums of decimal prices have rounding errors in the sixteenth digit; no price has more than twelve. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(12));

/** Usable performance of all volumes, in a sentence; undefined if unknown. */
export function usableWords({ usable, currency }: Pick<CostResult, 'usable' | 'currency'>): string | undefined {
  if (!usable) return undefined;
  const { iops, mibS, perThousandIops } = usable;
  const parts = [
    ...(iops === undefined ? [] : [`${amount(iops)} IOPS`]),
    ...(mibS === undefined ? [] : [`${amount(Number(mibS.toFixed(1)))} MiB/s`]),
  ];
  const price =
    perThousandIops === undefined ? '' : `; ${formatMoney(perThousandIops, currency)} per month for each 1,000 IOPS`;
  return `Sustained on these machines: ${parts.join(' and ')}${price}.`;
}

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, next });

export const unknownId = (id: string): KneepointError =>
  refused(`The price catalogue has no entry ${id}.`, 'Choose another one, or add a custom item.');

/** A missing price is not zero. */
export const priceMissing = (title: string): KneepointError =>
  refused(`The price of ${title} is unknown.`, 'Add a custom item for it.');

export const amountMissing = (label: string): KneepointError =>
  refused(`The price of ${label || 'a custom item'} is missing.`, 'Enter what it costs, or remove it.');

export const tooLarge = (title: string, size: number, most: number): KneepointError =>
  refused(
    `${title} has at most ${amount(most)} GB: ${amount(size)} GB cannot be bought.`,
    'Use several volumes, or another type.',
  );

export const otherCurrency = (title: string, currency: string, wanted: string): KneepointError =>
  refused(
    `${title} is priced in ${currency}, this calculation in ${wanted}.`,
    `Calculate in ${currency}, or add a custom item in ${wanted}.`,
  );
