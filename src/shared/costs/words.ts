/** A count for a person: 5,000. */
export const amount = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** A price or rate with as many decimals as it has: 0.08, 1,116.9, 0.000007. */
export const money = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 9 });

/** Sums of decimal prices carry noise in the sixteenth digit; no price has more than twelve. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(12));
