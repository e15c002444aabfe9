import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { freeName } from '../factors.ts';
import { namesOfSets, setOf } from '../kinds.ts';

export const hasSets = ({ levels }: Pick<Factor, 'levels'>): boolean =>
  levels.some((level) => typeof level === 'object');

/** Whether all sets contain only the same setting, each with its own value. */
export function canBeOneSetting(factor: Factor): boolean {
  const [name, ...more] = namesOfSets(factor);
  if (name === undefined || more.length > 0) return false;
  const values = factor.levels.map((level) => setOf(level)[name]);
  return values.every((value) => value !== null && value !== undefined) && new Set(values).size === values.length;
}

/** A factor of one setting as a factor of sets: each level is named by its value. */
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

/** The reverse, if `canBeOneSetting`. For a setting of a host, the object it belongs to follows its name. */
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

/** A level with one name of a set changed; undefined removes it. The order of names is kept. */
export function withSetValue(level: Named, part: string, name: string, value: Scalar | null | undefined): Named {
  const set: Sets = setOf(level, part);
  const { [name]: _, ...rest } = set;
  return { ...level, [part]: value === undefined ? rest : { ...set, [name]: value } };
}

/** All levels with a name added to their sets, or removed. */
export const withName = (levels: readonly Level[], part: string, name: string, value: Scalar | null): Level[] =>
  levels.map((level) => (typeof level === 'object' ? withSetValue(level, part, name, value) : level));

export const withoutName = (levels: readonly Level[], part: string, name: string): Level[] =>
  levels.map((level) => (typeof level === 'object' ? withSetValue(level, part, name, undefined) : level));

const AS_FOUND = 'as found';
const LONGEST_NAME = 80;
const LONGEST_PAIR = 60;

/** Name of a level by its values, “2 / 0”. */
export function nameByValues(level: Named, part: string): string {
  const values = Object.values(setOf(level, part));
  if (values.length > 0 && values.every((value) => value === null)) return AS_FOUND;
  return values
    .map((value) => (value === null ? AS_FOUND : String(value)))
    .filter((value) => value !== '')
    .join(' / ')
    .slice(0, LONGEST_NAME);
}

/** Name of a factor by the settings of its levels; `otherwise` while there are none. */
function nameBySettings(names: readonly string[], otherwise: string): string {
  const [first, ...more] = names;
  if (first === undefined) return otherwise;
  const pair = [first, ...more].join(' and ');
  if (more.length === 0 || (more.length === 1 && pair.length <= LONGEST_PAIR)) return pair.slice(0, LONGEST_NAME);
  return `${first.slice(0, LONGEST_PAIR)} and ${more.length} more`;
}

const UNNAMED = /^level( \d+)?$/;
const isOf = (name: string, made: string): boolean => name === made || name.replace(/ \d+$/, '') === made;

/** The changed level. If its name was made of its values, it is made of the new ones. */
export function renamedByValues(before: Named, after: Named, part: string, others: readonly string[]): Named {
  const made = UNNAMED.test(before.name) || isOf(before.name, nameByValues(before, part));
  const name = nameByValues(after, part);
  return made && name !== '' ? { ...after, name: freeName(name, others) } : after;
}

/** The name of a factor after a change of its levels: made again if it was made of their settings. */
export function factorName(
  { name }: Pick<Factor, 'name'>,
  [before, after]: readonly [readonly string[], readonly string[]],
  otherwise: string,
  others: readonly string[],
): string {
  return isOf(name, nameBySettings(before, otherwise)) ? freeName(nameBySettings(after, otherwise), others) : name;
}
