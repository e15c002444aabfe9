import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { namesOfSets, setOf } from '../kinds.ts';

export const hasSets = ({ levels }: Pick<Factor, 'levels'>): boolean =>
  levels.some((level) => typeof level === 'object');

/** Whether all sets are of one and the same setting, each with a value of its own. */
export function canBeOneSetting(factor: Factor): boolean {
  const [name, ...more] = namesOfSets(factor);
  if (name === undefined || more.length > 0) return false;
  const values = factor.levels.map((level) => setOf(level)[name]);
  return values.every((value) => value !== null && value !== undefined) && new Set(values).size === values.length;
}

/** A factor of one setting as one of sets: each level is named by its value. */
export function asSets(factor: Factor): Factor {
  const { setting, of, apply: _apply, read: _read, undo: _undo, levels, ...rest } = factor;
  const name = [setting, of].filter((part) => typeof part === 'string').join(' ');
  return {
    ...rest,
    levels: levels.map(
      (level): Level =>
        typeof level === 'object' ? level : { name: String(level), set: name === '' ? {} : { [name]: level } },
    ),
  };
}

/** The reverse, where `canBeOneSetting` holds. A setting of a host has what it belongs to behind its name. */
export function asOneSetting(factor: Factor): Factor {
  const [name = ''] = namesOfSets(factor);
  const [setting = '', of] = factor.kind === 'host-setting' ? name.split(/\s+(.*)/) : [name];
  const { levels, ...rest } = factor;
  return {
    ...rest,
    setting,
    ...(of && { of }),
    levels: levels.map((level): Scalar => setOf(level)[name] ?? levelName(level)),
  };
}

type Sets = Readonly<Record<string, Scalar | null>>;
type Named = Extract<Level, object>;

/** A level with one name of a set set; undefined takes it out. The order of names stays. */
export function withSetValue(level: Named, part: string, name: string, value: Scalar | null | undefined): Named {
  const set: Sets = setOf(level, part);
  const { [name]: _, ...rest } = set;
  return { ...level, [part]: value === undefined ? rest : { ...set, [name]: value } };
}

/** All levels with a further name in their sets, or without one. */
export const withName = (levels: readonly Level[], part: string, name: string, value: Scalar | null): Level[] =>
  levels.map((level) => (typeof level === 'object' ? withSetValue(level, part, name, value) : level));

export const withoutName = (levels: readonly Level[], part: string, name: string): Level[] =>
  levels.map((level) => (typeof level === 'object' ? withSetValue(level, part, name, undefined) : level));
