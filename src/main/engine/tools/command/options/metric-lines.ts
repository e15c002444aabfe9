import { isMetric, metricOf } from '../../../../../shared/metrics/index.ts';

/** The metric of a pattern's group, and the conversion of its number. */
export interface GroupMetric {
  group: string;
  metric: string;
  /** Factor applied to the printed number. */
  factor: number;
  /** The group with the unit, if each line prints its own. */
  unitGroup?: string;
}

/** Groups that are not figures. */
export const TIME_GROUP = 't';
const LINE = /^(\w+)\s*=\s*([a-z][a-z0-9_]{0,79})(?:\s+in\s+(\S+)|\s*([*/])\s*(\d+(?:\.\d+)?))?$/;

/**
 * Lines `group = metric`, optionally followed by `in UNIT` (a unit, or the group that contains it), `* NUMBER` or `/ NUMBER`. `groups`: those of the
 * patterns. Throws RangeError with a sentence as message.
 */
export function readMetricLines(text: string, groups: ReadonlySet<string>): GroupMetric[] {
  const read = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => readLine(line, groups));
  const used = new Set(read.flatMap(({ group, unitGroup }) => [group, unitGroup ?? group]));
  // A group named like a metric needs no line.
  const named = [...groups]
    .filter((group) => isMetric(group) && !used.has(group))
    .map((group) => ({ group, metric: group, factor: 1 }));
  return [...read, ...named];
}

function readLine(line: string, groups: ReadonlySet<string>): GroupMetric {
  const [, group = '', metric = '', unit, operator, operand] = LINE.exec(line) ?? [];
  if (group === '') throw new RangeError(`“${line}” is not of the form group = metric, or group = metric in unit.`);
  if (metric in {}) throw new RangeError(`“${line}”: no metric can have the name ${metric}; choose another name.`);
  if (!groups.has(group)) throw new RangeError(`“${line}”: no pattern has a group (?<${group}>…).`);
  if (unit !== undefined && groups.has(unit)) return { group, metric, factor: 1, unitGroup: unit };
  if (unit !== undefined) {
    const factor = factorOf(metric, unit);
    if (factor === undefined) throw new RangeError(`“${line}”: ${unit} is neither a unit of ${metric} nor a group.`);
    return { group, metric, factor };
  }
  const number = Number(operand ?? 1);
  if (number === 0) throw new RangeError(`“${line}”: zero makes every figure zero.`);
  return { group, metric, factor: operator === '/' ? 1 / number : number };
}

const KIB = 1024;

/** Factors from a printed unit to the metric's own, by the unit of the metric in `shared/metrics`. */
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
/** Suffixes of counts and rates. */
const MULTIPLES: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9 };

/** Factor from a printed unit (`us`, `KiB/s`, `k`) to the metric's own. Undefined for an unrelated unit. */
export function factorOf(metric: string, unit: string): number | undefined {
  const table = FACTORS[metricOf(metric).unit] ?? MULTIPLES;
  const plain = unit.trim().replace(/(\/s|\/sec|ps)$/, '');
  return Object.hasOwn(table, plain) ? table[plain] : undefined;
}
