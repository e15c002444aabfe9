import type { CostResult } from '../model/cost.ts';
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
    ...(mibS === undefined ? [] : [`${amount(Number(mibS.toPrecision(5)))} MiB/s`]),
  ];
  const price =
    perThousandIops === undefined ? '' : `; ${formatMoney(perThousandIops, currency)} per month for each 1,000 IOPS`;
  return `Sustained on these machines: ${parts.join(' and ')}${price}.`;
}
