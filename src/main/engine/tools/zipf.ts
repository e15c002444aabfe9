/** Ranks whose terms are summed one by one; beyond them the integral is as exact. */
const EXACT_RANKS = 1000;

/** The sum of 1 / rank^s from the first rank up to any, whole or not. */
export function zipfSum(exponent: number): (rank: number) => number {
  const head = [0];
  for (let rank = 1; rank <= EXACT_RANKS; rank += 1) head.push((head.at(-1) ?? 0) + rank ** -exponent);
  const from = EXACT_RANKS + 0.5;
  const power = from ** (1 - exponent);
  const integralTo = (to: number): number =>
    exponent === 1 ? Math.log(to / from) : (to ** (1 - exponent) - power) / (1 - exponent);
  return (rank) => {
    const whole = Math.floor(rank);
    if (whole >= EXACT_RANKS) return (head[EXACT_RANKS] ?? 0) + (rank > EXACT_RANKS ? integralTo(rank + 0.5) : 0);
    return (head[whole] ?? 0) + (rank - whole) * ((head[whole + 1] ?? 0) - (head[whole] ?? 0));
  };
}

/** What the share x of the most popular of so many items gets, where popularity falls with 1 / rank^s. */
export function zipfian(items: number, exponent: number): (x: number) => number {
  const sum = zipfSum(exponent);
  const total = sum(items);
  return (x) => sum(x * items) / total;
}
