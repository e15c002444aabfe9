import type { ChartChoice } from '../model/chart.ts';

type Value = string | number | boolean | undefined | readonly Value[] | { readonly [name: string]: Value };

/** Words that YAML reads as the same text without quotes. */
const PLAIN = /^[a-z](?:[\w ]*\w)?$/i;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function flow(value: Value): string {
  if (typeof value === 'string') return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${parts.map(([name, part]) => `${flow(name)}: ${flow(part)}`).join(', ')}}`;
}

/** A chart in the form of a document: an entry of its `charts`, in YAML. */
export const chartText = (choice: ChartChoice): string => `  - ${flow(choice)}\n`;
