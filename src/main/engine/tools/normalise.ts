import { formSchema } from '../../../shared/model/form-schema.ts';
import { LoadKind, type OptionWords } from '../../../shared/model/tool.ts';
import { hasDurationUnit, isDurationUnit, readDuration } from '../../../shared/util/duration.ts';
import type { ToolReader } from './tool.ts';

const made = new WeakMap<ToolReader, Record<string, unknown>>();

/** A tool's options as JSON Schema of the document: options with a default are not required. Created once per tool. */
export function optionSchema(tool: ToolReader): Record<string, unknown> {
  const known = made.get(tool);
  if (known) return known;
  const schema = formSchema(tool.options);
  made.set(tool, schema);
  return schema;
}

interface Property {
  type?: string;
  enum?: readonly unknown[];
  load?: unknown;
  unit?: unknown;
}

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
]);

/** The option's own name for `table_size`, `TABLE-SIZE` or `--table-size`. An unknown name is returned unchanged. */
export function optionName(tool: ToolReader, name: string): string {
  if (Object.hasOwn(tool.options.shape, name)) return name;
  const names = Object.keys(tool.options.shape);
  const plain = (text: string): string => text.replace(/^--/, '').replaceAll('_', '-').toLowerCase();
  return names.find((known) => plain(known) === plain(name)) ?? name;
}

/** The kind of load that this option increases, if any. `name` as in a document. */
export const loadKind = (tool: ToolReader, name: string): LoadKind | undefined =>
  LoadKind.safeParse(propertyOf(tool, optionName(tool, name)).load).data;

/** Converts a value to the option's type: `on` for a switch, `8` for a number written as text. Unsuitable values are left for validation. */
export function optionValue(tool: ToolReader, name: string, value: unknown): unknown {
  if (!Object.hasOwn(tool.options.shape, name)) return value;
  const type = propertyOf(tool, name);
  if (type.type === 'boolean' && typeof value === 'string') return SWITCH.get(value.toLowerCase()) ?? value;
  if ((type.type === 'integer' || type.type === 'number') && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return Number(value);
  if (type.enum && typeof value === 'boolean')
    return [value ? 'on' : 'off'].find((word) => type.enum?.includes(word)) ?? value;
  if (type.type === 'string' && !type.enum && typeof value !== 'string')
    return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
  return value;
}

/**
 * Converts a duration with a unit for an option that takes a duration: `5m` becomes the number in the option's own unit, and so does each one in a
 * comma-separated list. All other values are returned unchanged.
 */
export function durationValue(tool: ToolReader, given: string, value: unknown): unknown {
  const name = optionName(tool, given);
  if (typeof value !== 'string' || !Object.hasOwn(tool.options.shape, name)) return value;
  const { type, unit } = propertyOf(tool, name);
  if (!isDurationUnit(unit)) return value;
  const read = (text: string): number | undefined => (hasDurationUnit(text) ? readDuration(text, unit) : undefined);
  if (type === 'string')
    return value
      .split(',')
      .map((part) => read(part) ?? part)
      .join(',');
  return read(value) ?? value;
}

/** Converts option names and values of a document to the tool's spelling and types. Unknown names are kept for validation to report. */
export function normaliseOptions(
  tool: ToolReader,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([given, value]) => {
      const name = optionName(tool, given);
      return [name, optionValue(tool, name, value)];
    }),
  );
}

/** Title, group and other words of an option. */
export const wordsOfOption = (tool: ToolReader, name: string): Partial<OptionWords> =>
  propertyOf(tool, name) as Partial<OptionWords>;

function propertyOf(tool: ToolReader, name: string): Property {
  const properties = optionSchema(tool).properties;
  const property = typeof properties === 'object' && properties !== null ? Reflect.get(properties, name) : undefined;
  return typeof property === 'object' && property !== null ? property : {};
}
