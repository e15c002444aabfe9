import type { Scalar } from '../../shared/model/experiment.ts';
import type { CodeLanguage } from '../../shared/model/tool.ts';
import { type DurationUnit, isDurationUnit } from '../../shared/util/duration.ts';
import { isObject } from '../../shared/util/object.ts';

/** Values of a field. `words`: texts that a number field also accepts (“off”, “auto”). */
export type Shape =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly choices: readonly Scalar[] }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly words: readonly string[];
      /** For a duration: the unit of a plain number. Absent: it is no duration. */
      readonly duration?: DurationUnit;
    }
  | {
      readonly kind: 'text';
      readonly multiline: boolean;
      /** Its numbers are durations. */
      readonly duration?: DurationUnit;
      /** Its language, if the editor supports it. */
      readonly language?: CodeLanguage;
      readonly pattern?: string;
      /** A sentence that describes the pattern. */
      readonly patternWords?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
    };

/** One option as shown in a form. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly unit?: string;
  readonly group: string;
  readonly shape: Shape;
  readonly default?: Scalar;
  /** In force while nothing is set, if that is not a default. */
  readonly unset?: string;
  /** Without a default, and mandatory. */
  readonly required: boolean;
  /** Shown only while another option has one of these values. */
  readonly when?: { readonly option: string; readonly in: readonly Scalar[] };
  /** One of the main options. */
  readonly main: boolean;
  /** A folder of a host. */
  readonly folder?: true;
}

/** Group of options without one. */
export const PLAIN_GROUP = '';

type Json = Readonly<Record<string, unknown>>;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** JSON Schema of an object (as written by `z.toJSONSchema`, with the words of `OptionWords`) → its fields, in order. */
export function readFields(schema: Json): Field[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) ? [readField(name, property, required.has(name))] : [],
  );
}

function readField(name: string, property: Json, listed: boolean): Field {
  const unit = textOf(property.unit);
  const unset = textOf(property.unset);
  const when = readWhen(property.when);
  const preset = isScalar(property.default) ? property.default : undefined;
  return {
    name,
    title: textOf(property.title) ?? name,
    description: textOf(property.description) ?? '',
    group: textOf(property.group) ?? PLAIN_GROUP,
    shape: readShape(property),
    required: listed && !('default' in property),
    main: property.main === true,
    ...(unit !== undefined && { unit }),
    ...(preset !== undefined && { default: preset }),
    ...(unset !== undefined && { unset }),
    ...(when && { when }),
    ...(property.folder === true && { folder: true as const }),
  };
}

function readWhen(when: unknown): Field['when'] {
  if (!isObject(when) || typeof when.option !== 'string' || !Array.isArray(when.in)) return undefined;
  return { option: when.option, in: when.in.filter(isScalar) };
}

function readShape(property: Json): Shape {
  const branches = [...branchesOf(property)].filter((branch) => branch.type !== 'null');
  const choices = branches.flatMap(choicesOf);
  const open = branches.filter((branch) => choicesOf(branch).length === 0);
  const number = open.find((branch) => branch.type === 'number' || branch.type === 'integer');
  if (number) return numberShape(number, choices.map(String), property.unit);
  if (open.length === 0 && choices.length > 0) return { kind: 'choice', choices };
  if (open.every((branch) => branch.type === 'boolean') && open.length > 0 && choices.length === 0) {
    return { kind: 'switch' };
  }
  return textShape(open[0] ?? property, property);
}

/** A union's members, and a type list (`["number", "null"]`) as one member per type. */
function* branchesOf(property: Json): Generator<Json> {
  const union = property.anyOf ?? property.oneOf;
  if (Array.isArray(union)) {
    for (const member of union) if (isObject(member)) yield* branchesOf(member);
  } else if (Array.isArray(property.type)) {
    for (const type of property.type) yield { ...property, type };
  } else yield property;
}

function choicesOf(branch: Json): Scalar[] {
  if (Array.isArray(branch.enum)) return branch.enum.filter(isScalar);
  return isScalar(branch.const) ? [branch.const] : [];
}

/** zod writes the range of safe integers if no limit was set: that is not shown as a limit. */
const limit = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

function numberShape(branch: Json, words: readonly string[], unit: unknown): Shape {
  const minimum = limit(branch.minimum);
  const maximum = limit(branch.maximum);
  return {
    kind: 'number',
    integer: branch.type === 'integer',
    words,
    ...(isDurationUnit(unit) && { duration: unit }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const LANGUAGES: readonly unknown[] = ['sql', 'lua'] satisfies CodeLanguage[];
const isLanguage = (value: unknown): value is CodeLanguage => LANGUAGES.includes(value);

function textShape(branch: Json, { multiline, language, unit }: Json): Shape {
  const minLength = limit(branch.minLength);
  const maxLength = limit(branch.maxLength);
  const pattern = textOf(branch.pattern);
  const patternWords = textOf(branch.patternWords);
  return {
    kind: 'text',
    multiline: multiline === true,
    ...(isDurationUnit(unit) && { duration: unit }),
    ...(isLanguage(language) && { language }),
    ...(pattern !== undefined && { pattern }),
    ...(patternWords !== undefined && { patternWords }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}
