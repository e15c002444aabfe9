import type { Scalar } from '../../shared/model/experiment.ts';
import { type DurationUnit, durationWords, hasDurationUnit, readDuration } from '../../shared/util/duration.ts';
import { type Field, PLAIN_GROUP, type Shape } from './fields.ts';

/** Only values set by the user: a missing option has its default. */
export type FormValues = Readonly<Record<string, Scalar>>;

/** Value in force: the set one, otherwise the default. */
export const valueInForce = (field: Field, values: FormValues): Scalar | undefined =>
  Object.hasOwn(values, field.name) ? values[field.name] : field.default;

/** Whether a user's value differs from the default. Required options have no default to differ from. */
export const isChanged = (field: Field, values: FormValues): boolean =>
  !field.required && Object.hasOwn(values, field.name) && values[field.name] !== field.default;

/** Fields to show: those whose `when` holds for the values in force, recursively for the option it depends on. */
export function shownFields(fields: readonly Field[], values: FormValues): Field[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const shows = (field: Field, depth: number): boolean => {
    if (!field.when || depth > fields.length) return true;
    const other = byName.get(field.when.option);
    if (!other || !shows(other, depth + 1)) return false;
    const value = valueInForce(other, values);
    return value !== undefined && field.when.in.includes(value);
  };
  return fields.filter((field) => shows(field, 0));
}

/** In the order in which groups first appear. */
export function groupFields(fields: readonly Field[]): { group: string; fields: Field[] }[] {
  const groups = new Map<string, Field[]>();
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups].map(([group, members]) => ({ group, fields: members }));
}

/** Values of the fields of a group that are not main options: “Seed 1 · Costly changes once”. */
export function groupWords(fields: readonly Field[], group: string, values: FormValues): string {
  const words = fields.flatMap((field): string[] => {
    if (field.main || field.group !== group) return [];
    const { title, unit, unset, shape } = field;
    const value = valueInForce(field, values);
    if (typeof value === 'boolean') return value ? [title] : [];
    if (value === undefined || value === '') return shape.kind === 'choice' && unset ? [`${title}: ${unset}`] : [];
    if (shape.kind === 'text') return [title];
    return [`${title}: ${value}${unit === undefined ? '' : ` ${unit}`}`];
  });
  return words.length > 0 ? words.join(' · ') : 'none';
}

/** Every word of the query occurs in the name, title, description, unit or group. */
export function matchesQuery(field: Field, query: string): boolean {
  const text = [field.name, field.title, field.description, field.unit ?? '', field.group || PLAIN_GROUP]
    .join(' ')
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Sets a field's value or, with undefined, resets it to its default. */
export function withValue(values: FormValues, field: Field, value: Scalar | undefined): FormValues {
  const { [field.name]: _, ...rest } = values;
  return value === undefined ? rest : { ...rest, [field.name]: value };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Typed text as a value; text that is not a number remains text and `problemWith` gives the reason. */
export function readText(shape: Shape, text: string): Scalar {
  if (shape.kind === 'text') return shape.duration ? plainDurations(text, shape.duration) : text;
  const trimmed = text.trim();
  if (shape.kind === 'number') return NUMBER.test(trimmed) ? Number(trimmed) : durationOr(trimmed, shape.duration);
  if (shape.kind === 'switch')
    return trimmed === 'true' || trimmed === 'on' ? true : trimmed === 'false' || trimmed === 'off' ? false : trimmed;
  return shape.choices.find((choice) => String(choice) === trimmed) ?? trimmed;
}

const durationOr = (text: string, unit: DurationUnit | undefined): Scalar =>
  (unit && hasDurationUnit(text) ? readDuration(text, unit) : undefined) ?? text;

/** Each duration of a comma-separated list. */
const plainDurations = (text: string, unit: DurationUnit): string =>
  text
    .split(',')
    .map((part) => String(durationOr(part.trim(), unit)))
    .join(',');

/** Why a value is invalid, as a sentence; undefined if it is valid. */
export function problemWith(field: Field, value: Scalar | undefined): string | undefined {
  if (value === undefined || value === '') return field.required ? 'Required.' : undefined;
  return shapeProblem(field.shape, value);
}

/** Why a value is not of this shape. */
export function shapeProblem(shape: Shape, value: Scalar): string | undefined {
  switch (shape.kind) {
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'Either on or off.';
    case 'choice':
      return shape.choices.includes(value) ? undefined : `Choose one of ${shape.choices.join(', ')}.`;
    case 'number':
      return numberProblem(shape, value);
    case 'text':
      return textProblem(shape, value);
  }
}

const PLAIN_UNITS: Readonly<Record<DurationUnit, string>> = { s: 'seconds', ms: 'milliseconds' };

function numberProblem(shape: Extract<Shape, { kind: 'number' }>, value: Scalar): string | undefined {
  if (typeof value === 'string' && shape.words.includes(value)) return undefined;
  const words = shape.words.length > 0 ? ` or ${shape.words.join(', ')}` : '';
  const whole = shape.integer ? 'whole ' : '';
  const wanted = shape.duration
    ? `Enter ${whole}${PLAIN_UNITS[shape.duration]}, or a time such as 90s, 5m or 1h30${words}.`
    : `Enter a ${whole}number${words}.`;
  if (typeof value !== 'number' || !Number.isFinite(value)) return wanted;
  if (shape.integer && !Number.isInteger(value)) return wanted;
  const textOf = (limit: number): string => (shape.duration ? durationWords(limit, shape.duration) : String(limit));
  if (shape.minimum !== undefined && value < shape.minimum) return `At least ${textOf(shape.minimum)}.`;
  if (shape.maximum !== undefined && value > shape.maximum) return `At most ${textOf(shape.maximum)}.`;
  return undefined;
}

function textProblem(shape: Extract<Shape, { kind: 'text' }>, value: Scalar): string | undefined {
  if (typeof value !== 'string') return 'Enter text.';
  if (shape.minLength !== undefined && value.length < shape.minLength) {
    return shape.minLength === 1 ? 'Required.' : `At least ${shape.minLength} characters.`;
  }
  if (shape.maxLength !== undefined && value.length > shape.maxLength) return `At most ${shape.maxLength} characters.`;
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(value))
    return shape.patternWords ?? 'This does not have the expected format.';
  return undefined;
}

/** Problems of all shown fields by name; empty if all are valid. */
export function problemsOf(fields: readonly Field[], values: FormValues): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of shownFields(fields, values)) {
    const problem = problemWith(field, valueInForce(field, values));
    if (problem !== undefined) problems[field.name] = problem;
  }
  return problems;
}
