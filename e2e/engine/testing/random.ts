/** Random numbers between two bounds. Prints the seed; KNEEPOINT_SEED repeats it. `of`: the randomised subject. */
export function seededRandom(of: string): (low: number, high: number) => number {
  let seed = Number(process.env.KNEEPOINT_SEED ?? Date.now() % 1_000_000);
  console.log(`seed of ${of} ${seed} (set KNEEPOINT_SEED to repeat)`);
  return (low, high) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return low + (seed / 2147483648) * (high - low);
  };
}
