/**
 * p values of several tests, adjusted so that comparing each with a level bounds the chance of any false alarm among all of them by that
 * level, whatever their dependence (Holm 1979). In the given order. `among`: total number of tests, including those not passed here.
 */
export function holm(values: readonly number[], among = values.length): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(values.length);
  let highest = 0;
  order.forEach(({ value, index }, rank) => {
    highest = Math.min(1, Math.max(highest, value * (among - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}
