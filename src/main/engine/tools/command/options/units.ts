import { metricOf } from '../../../../../shared/metrics/index.ts';

const KIB = 1024;

/** How many of a metric's own unit one of a printed unit is: by the unit that `shared/metrics` gives it. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ms: {
    ns: 1e-6,
    nsec: 1e-6,
    us: 1e-3,
    µs: 1e-3,
    μs: 1e-3,
    usec: 1e-3,
    ms: 1,
    msec: 1,
    s: 1000,
    sec: 1000,
    min: 60_000,
  },
  'MiB/s': {
    B: 1 / KIB ** 2,
    kB: 1000 / KIB ** 2,
    KB: 1000 / KIB ** 2,
    KiB: 1 / KIB,
    MB: 1e6 / KIB ** 2,
    MiB: 1,
    GB: 1e9 / KIB ** 2,
    GiB: KIB,
  },
};
/** What counts and rates may be written with. */
const MULTIPLES: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9 };

/** Factor from a printed unit (`us`, `KiB/s`, `k`) to the metric's own; undefined when it is none of that kind. */
export function factorOf(metric: string, unit: string): number | undefined {
  const table = FACTORS[metricOf(metric).unit] ?? MULTIPLES;
  const plain = unit.trim().replace(/(\/s|\/sec|ps)$/, '');
  return Object.hasOwn(table, plain) ? table[plain] : undefined;
}
