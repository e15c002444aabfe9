/** Standard normal numbers (Box and Muller). */
export const normalFrom = (random: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Throughput by the Universal Scalability Law. */
export const uslRate = (load: number, lambda: number, sigma: number, kappa: number): number =>
  (lambda * load) / (1 + sigma * (load - 1) + kappa * load * (load - 1));

/** Levels of a ladder with repeats, each run with relative noise around the true throughput. */
export const measuredLadder = (
  loads: readonly number[],
  truth: (load: number) => number,
  { repeats, noise, normal }: { repeats: number; noise: number; normal: () => number },
): { load: number; rates: number[] }[] =>
  loads.map((load) => ({
    load,
    rates: Array.from({ length: repeats }, () => truth(load) * Math.exp(noise * normal())),
  }));
