import type { OptionWords } from '../../src/shared/model/tool.ts';

/** JSON Schema of an option or a field, with the parts that pages show. */
export type Property = OptionWords & {
  type?: string;
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
};

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** Values that an option accepts, in words. */
export function takes({ type, enum: choices, minimum, maximum, unit, multiline }: Property): string {
  if (choices) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (type === 'boolean') return 'on, off';
  if (type !== 'integer' && type !== 'number') return multiline ? 'lines' : unit ? `text, ${unit}` : 'text';
  const known = (limit: number | undefined): boolean =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const range = known(minimum) ? (known(maximum) ? `${minimum} to ${maximum}` : `from ${minimum}`) : 'number';
  return unit ? `${range} ${unit}` : range;
}

/** Its default, in words; empty if it has none. */
export function preset(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === '' ? 'empty' : `\`${String(value)}\``;
}

/** A table of Markdown; a bar or a line end inside a cell would break it. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return `${[row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')}\n`;
}
const cell = (text: string): string => text.replaceAll('|', '\\\\|').replace(/\s*\n\s*/g, ' ');
