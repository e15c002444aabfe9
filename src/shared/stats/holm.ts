/**
 * p values of several tests, each raised so that comparing it with a level bounds the chance of any false alarm among all of them by that
 * level, whatever they depend on (Holm 1979). In the order given. `among`: how many tests there are, with those that are not given here.
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
