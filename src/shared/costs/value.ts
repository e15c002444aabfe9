const SECONDS_PER_HOUR = 3_600;

/** Operations that one unit of money buys while the system runs: `rate` per second, `perHour` money per hour. 0 when it costs nothing. */
export const operationsPerDollar = (rate: number, perHour: number): number =>
  perHour > 0 ? (rate * SECONDS_PER_HOUR) / perHour : 0;

/** Each value as a percentage of the largest: the best one is 100. */
export function percentOfBest(values: readonly number[]): number[] {
  const best = values.reduce((most, value) => Math.max(most, value), 0);
  return values.map((value) => (best > 0 ? (value / best) * 100 : 0));
}
