import type { ZodType } from 'zod';
import { Capture } from '../../../shared/model/capture.ts';
import { Measure } from '../../../shared/model/experiment.ts';
import { Factor } from '../../../shared/model/factor.ts';
import { BeforeTrial, Stop } from '../../../shared/model/measure.ts';
import { ParallelStep, SteadyWhen } from '../../../shared/model/step.ts';
import { hasDurationUnit, isDurationUnit, readDuration } from '../../../shared/util/duration.ts';
import { isObject } from '../../../shared/util/object.ts';
import type { PlainDurations } from '../factors/factor.ts';
import { plainLevel } from '../factors/index.ts';
import { durationValue, toolById } from '../tools/index.ts';

type Plain = Readonly<Record<string, unknown>>;

/** Maps each field of an object. Other values are returned as they are, for validation to report. */
const each = (group: unknown, change: (name: string, value: unknown) => unknown): unknown =>
  isObject(group)
    ? Object.fromEntries(Object.entries(group).map(([name, value]) => [name, change(name, value)]))
    : group;

/**
 * Converts every duration with a unit (`5m`, `1h30`) and every percentage of a document as read from YAML to a plain number in the unit of
 * its setting: documents are stored like this, and earlier versions read only this. Accepts any input; anything else stays as it is.
 */
export function plainDurations(document: unknown): unknown {
  if (!isObject(document)) return document;
  const { workload, steps, factors, base, only, exclude, measure, captures, small } = document;
  const id = isObject(workload) ? workload.tool : undefined;
  const tool = typeof id === 'string' ? toolById(id) : undefined;
  const plain: PlainDurations = {
    option: (name, value) => (tool && typeof name === 'string' ? durationValue(tool, name, value) : value),
    seconds: (value) => ofMeasure('duration', value),
  };
  const ofFactor = (name: string, level: unknown): unknown => {
    const list = Array.isArray(factors) ? factors.filter(isObject) : [];
    return plainLevel(list.find((factor) => factor.name === name) ?? { name }, level, plain);
  };
  return {
    ...document,
    ...(isObject(workload) && { workload: { ...workload, ...optionsOf(workload, plain) } }),
    ...(Array.isArray(steps) && { steps: steps.map((step) => plainStep(step, plain)) }),
    ...(Array.isArray(factors) && { factors: factors.map((factor) => plainFactor(factor, plain, ofFactor)) }),
    ...('base' in document && { base: each(base, ofFactor) }),
    ...(Array.isArray(only) && { only: only.map((pattern) => each(pattern, ofFactor)) }),
    ...(Array.isArray(exclude) && { exclude: exclude.map((pattern) => each(pattern, ofFactor)) }),
    ...('measure' in document && { measure: each(measure, ofMeasure) }),
    ...(Array.isArray(captures) && {
      captures: captures.map((capture) => each(capture, (name, value) => inUnitOf(Capture.shape, name, value))),
    }),
    ...('small' in document && { small: plainVariant(small, ofFactor) }),
  };
}

const optionsOf = ({ options }: Plain, plain: PlainDurations): Plain =>
  isObject(options) ? { options: each(options, plain.option) } : {};

const plainStep = (step: unknown, plain: PlainDurations): unknown =>
  isObject(step)
    ? {
        ...(each(step, ofStep) as Plain),
        ...optionsOf(step, plain),
        ...(Array.isArray(step.factors) && { factors: step.factors.map((factor) => plainStepFactor(factor, plain)) }),
        ...(Array.isArray(step.each) && { each: step.each.map((own) => plainStep(own, plain)) }),
        ...(Array.isArray(step.parallel) && { parallel: step.parallel.map((own) => plainStep(own, plain)) }),
      }
    : step;

const plainStepFactor = (factor: unknown, plain: PlainDurations): unknown =>
  isObject(factor) && Array.isArray(factor.levels)
    ? { ...factor, levels: factor.levels.map((level) => plain.option(factor.option ?? factor.name, level)) }
    : factor;

const ofStep = (name: string, value: unknown): unknown =>
  name === 'steady'
    ? each(value, (setting, own) => inUnitOf(SteadyWhen.shape, setting, own))
    : inUnitOf(ParallelStep.shape, name, ofMeasure(name, value));

function plainFactor(
  factor: unknown,
  plain: PlainDurations,
  ofFactor: (name: string, level: unknown) => unknown,
): unknown {
  if (!isObject(factor)) return factor;
  const { levels, when } = factor;
  const ofLevels = (other: string, level: unknown): unknown =>
    Array.isArray(level) ? level.map((one) => ofFactor(other, one)) : ofFactor(other, level);
  return {
    ...factor,
    ...('when' in factor && { when: each(when, ofLevels) }),
    ...('pause' in factor && { pause: inUnitOf(Factor.shape, 'pause', factor.pause) }),
    ...('baseline' in factor && { baseline: plainLevel(factor, factor.baseline, plain) }),
    ...(Array.isArray(levels) && { levels: levels.map((level) => plainLevel(factor, level, plain)) }),
  };
}

function plainVariant(variant: unknown, ofFactor: (name: string, level: unknown) => unknown): unknown {
  if (!isObject(variant)) return variant;
  const ofLevels = (name: string, value: unknown): unknown =>
    Array.isArray(value) ? value.map((level) => ofFactor(name, level)) : ofFactor(name, value);
  return {
    ...(each(variant, ofMeasure) as Plain),
    ...('set' in variant && { set: each(variant.set, ofLevels) }),
  };
}

const GROUPS: Readonly<Record<string, Readonly<Record<string, ZodType>>>> = {
  before: BeforeTrial.shape,
  stop: Stop.shape,
};

const ofMeasure = (name: string, value: unknown): unknown => {
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  return group ? each(value, (setting, own) => inUnitOf(group, setting, own)) : inUnitOf(Measure.shape, name, value);
};

function inUnitOf(settings: Readonly<Record<string, ZodType>>, name: string, value: unknown): unknown {
  const unit = Object.hasOwn(settings, name) ? settings[name]?.meta()?.unit : undefined;
  const percent = unit === '%' ? /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(String(value))?.[1] : undefined;
  if (percent !== undefined) return Number(percent);
  return isDurationUnit(unit) && typeof value === 'string' && hasDurationUnit(value)
    ? (readDuration(value, unit) ?? value)
    : value;
}
