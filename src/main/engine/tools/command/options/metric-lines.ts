import { isMetric } from '../../../../../shared/metrics/index.ts';
import { factorOf } from './units.ts';

/** Which metric a group of a pattern is, and how its number becomes the metric's. */
export interface GroupMetric {
  group: string;
  metric: string;
  /** The printed number times this. */
  factor: number;
  /** Group that holds the unit, where each line prints its own. */
  unitGroup?: string;
}

/** Groups that are no figures. */
export const TIME_GROUP = 't';
const LINE = /^(\w+)\s*=\s*([a-z][a-z0-9_]{0,79})(?:\s+in\s+(\S+)|\s*([*/])\s*(\d+(?:\.\d+)?))?$/;

/**
 * Lines `group = metric`, with `in UNIT` (a unit, or the group that holds it), `* NUMBER` or `/ NUMBER` behind.
 * `groups`: those that the patterns have. Throws RangeError, whose message is a sentence.
 */
export function readMetricLines(text: string, groups: ReadonlySet<string>): GroupMetric[] {
  const told = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => readLine(line, groups));
  const used = new Set(told.flatMap(({ group, unitGroup }) => [group, unitGroup ?? group]));
  // A group that has the name of a metric needs no line.
  const named = [...groups]
    .filter((group) => isMetric(group) && !used.has(group))
    .map((group) => ({ group, metric: group, factor: 1 }));
  return [...told, ...named];
}

function readLine(line: string, groups: ReadonlySet<string>): GroupMetric {
  const [, group = '', metric = '', unit, operator, operand] = LINE.exec(line) ?? [];
  if (group === '') throw new RangeError(`“${line}” is not of the form group = metric, or group = metric in unit.`);
  if (metric in {}) throw new RangeError(`“${line}”: no metric can have the name ${metric}; choose another name.`);
  if (!groups.has(group)) throw new RangeError(`“${line}”: no pattern has a group (?<${group}>…).`);
  if (unit !== undefined && groups.has(unit)) return { group, metric, factor: 1, unitGroup: unit };
  if (unit !== undefined) {
    const factor = factorOf(metric, unit);
    if (factor === undefined)
      throw new RangeError(`“${line}”: ${unit} is neither a unit that ${metric} can be printed in nor a group.`);
    return { group, metric, factor };
  }
  const number = Number(operand ?? 1);
  if (number === 0) throw new RangeError(`“${line}”: zero makes every figure zero.`);
  return { group, metric, factor: operator === '/' ? 1 / number : number };
}
