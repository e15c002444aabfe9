import { Measure } from '../../../shared/model/experiment.ts';
import { hasDurationUnit, isDurationUnit, readDuration } from '../../../shared/util/duration.ts';
import type { PlainDurations } from '../factors/factor.ts';
import { plainLevel } from '../factors/index.ts';
import { durationValue, toolById } from '../tools/index.ts';

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A group of settings with each of them changed; what is no group stays, for validation to tell. */
const each = (group: unknown, change: (name: string, value: unknown) => unknown): unknown =>
  isPlain(group)
    ? Object.fromEntries(Object.entries(group).map(([name, value]) => [name, change(name, value)]))
    : group;

/**
 * A document as read from YAML, with every duration that is written with its unit (`5m`, `1h30`) as a plain number of the unit that its
 * setting has: so it is stored, and so earlier versions know it. Takes whatever was written; what is no duration stays as it is.
 */
export function plainDurations(document: unknown): unknown {
  if (!isPlain(document)) return document;
  const { workload, factors, exclude, measure } = document;
  const id = isPlain(workload) ? workload.tool : undefined;
  const tool = typeof id === 'string' ? toolById(id) : undefined;
  const plain: PlainDurations = {
    option: (name, value) => (tool && typeof name === 'string' ? durationValue(tool, name, value) : value),
    seconds: (value) => ofMeasure('duration', value),
  };
  const ofFactor = (name: string, level: unknown): unknown => {
    const list = Array.isArray(factors) ? factors.filter(isPlain) : [];
    return plainLevel(list.find((factor) => factor.name === name) ?? { name }, level, plain);
  };
  return {
    ...document,
    ...(isPlain(workload) && { workload: { ...workload, ...optionsOf(workload, plain) } }),
    ...(Array.isArray(factors) && { factors: factors.map((factor) => plainFactor(factor, plain)) }),
    ...(Array.isArray(exclude) && { exclude: exclude.map((pattern) => each(pattern, ofFactor)) }),
    ...('measure' in document && { measure: each(measure, ofMeasure) }),
  };
}

const optionsOf = ({ options }: Plain, plain: PlainDurations): Plain =>
  isPlain(options) ? { options: each(options, plain.option) } : {};

const plainFactor = (factor: unknown, plain: PlainDurations): unknown =>
  isPlain(factor) && Array.isArray(factor.levels)
    ? { ...factor, levels: factor.levels.map((level) => plainLevel(factor, level, plain)) }
    : factor;

function ofMeasure(name: string, value: unknown): unknown {
  const setting = Object.hasOwn(Measure.shape, name) ? Measure.shape[name as keyof Measure] : undefined;
  const unit = setting?.meta()?.unit;
  return isDurationUnit(unit) && typeof value === 'string' && hasDurationUnit(value)
    ? (readDuration(value, unit) ?? value)
    : value;
}
