import { z } from 'zod';
import type { OptionWords } from '../../../../../shared/model/tool.ts';
import { option } from '../../tool.ts';
import { LIBRARY_SCRIPTS, type LibraryScript, OWN_SCRIPT } from '../scripts/index.ts';
import { hyphened, LIBRARY } from '../scripts/library.ts';
import type { LuaOption, LuaValue } from '../scripts/lua-script.ts';
import { ownOptionsProblem, ownTablesProblem } from '../scripts/own.ts';

const group = 'Custom script';
const when = { option: 'script', in: [OWN_SCRIPT] };

/** A user's Lua script. */
export const ownOptions = {
  'script-text': option(z.string().max(200_000).default(''), {
    title: 'Script text',
    main: true,
    description:
      'Lua for sysbench 1.0, with at least an event function. It is stored with the experiment and copied to the generator for each run. Lines printed as “[ 3s ] metrics: name=1.00” become series in addition to sysbench’s own.',
    group,
    multiline: true,
    language: 'lua',
    when,
  }),
  'script-file': option(z.string().regex(/^\//, 'An absolute path.').optional(), {
    title: 'Script file',
    main: true,
    description:
      'Instead of the text: path of a Lua script on the generator. Its own folder is searched for required files, so that scripts of several files, such as sysbench-tpcc, run unchanged. Only the run itself can check its options.',
    group,
    when,
  }),
  'script-options': option(
    z
      .string()
      .max(10_000)
      .superRefine((text, context) => {
        const problem = ownOptionsProblem(text);
        if (problem) context.addIssue({ code: 'custom', message: problem });
      })
      .default(''),
    {
      title: 'Script options',
      main: true,
      description:
        'name=value, separated by spaces or newlines, as declared by the script in sysbench.cmdline.options; also those of oltp_common.lua if it builds on that.',
      group,
      multiline: true,
      when,
    },
  ),
  'script-prepare': option(z.boolean().default(false), {
    title: 'Script prepares its data',
    description:
      'The script has the commands prepare and cleanup, which run before the session and when data is removed. Its rows are counted if script-tables names its tables.',
    group,
    when,
  }),
  'script-tables': option(
    z
      .string()
      .max(10_000)
      .superRefine((text, context) => {
        const problem = ownTablesProblem(text);
        if (problem) context.addIssue({ code: 'custom', message: problem });
      })
      .default(''),
    {
      title: 'Script tables',
      description:
        'Tables that its prepare creates, one per line: “items = rows * 2”, using script options (underscores, as in Lua), + - * / ( ), floor and ceil. “orders{tables} = rows” is orders1, orders2 …; “log >= 0” is a table that trials add to. Counted before use, and right after prepare; without it, nothing is counted.',
      group,
      multiline: true,
      when: { option: 'script-prepare', in: [true] },
    },
  ),
};

const textOf = (value: LuaValue): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: LuaValue): number | undefined => (typeof value === 'number' ? value : undefined);
const listOf = (value: LuaValue): string[] =>
  typeof value === 'object' ? value.list.filter((entry) => typeof entry === 'string') : [];

/** The values of an option: by the type of its default, and by its `min`, `max`, `choices` and `pattern`. */
function typeOf({ default: preset, words }: LuaOption): z.ZodType {
  if (typeof preset === 'boolean') return z.boolean().default(preset);
  if (typeof preset === 'number') {
    const least = numberOf(words.min);
    const most = numberOf(words.max);
    const whole: z.ZodNumber = Number.isInteger(preset) ? z.int() : z.number();
    const from = least === undefined ? whole : whole.min(least);
    return (most === undefined ? from : from.max(most)).default(preset);
  }
  const choices = listOf(words.choices);
  if (choices.length > 0) return z.enum(choices).default(preset ?? '');
  const pattern = textOf(words.pattern);
  return (pattern === undefined ? z.string() : z.string().regex(new RegExp(pattern), `Like ${pattern}`)).default(
    preset ?? '',
  );
}

/** `only = { "distribution", "zipf" }`: the option has an effect only while another option of the script has one of these values. */
function conditionOf(script: LibraryScript, { words }: LuaOption): NonNullable<OptionWords['when']> {
  const [other, ...values] = listOf(words.only);
  return other === undefined ? { option: 'script', in: [script] } : { option: hyphened(other), in: values };
}

/** The main options of each script. */
const MAIN: ReadonlySet<string> = new Set([
  ...['warehouses', 'isolation', 'new_orders', 'payments'],
  ...['rows_per_writer', 'rows_per_insert', 'insert_rate', 'readers', 'indexes', 'partitions'],
  ...['query', 'key', 'covering', 'values'],
  ...['objects', 'history_records', 'writes'],
  ...['schemas', 'tables_per_schema', 'rows_per_table', 'indexed_column'],
  ...['lookups', 'distribution', 'theta'],
]);

function schemaOf(script: LibraryScript, declared: LuaOption): z.ZodType {
  const unit = textOf(declared.words.unit);
  return option(typeOf(declared), {
    title: textOf(declared.words.title) ?? declared.name,
    description: declared.description,
    group: `Script ${script}`,
    ...(unit !== undefined && { unit }),
    ...(MAIN.has(declared.name) && { main: true }),
    when: conditionOf(script, declared),
  });
}

/** Options of library scripts, by their names with hyphens, except those that sysbench's own scripts also have. */
export function libraryOptions(known: Readonly<Record<string, unknown>>): Record<string, z.ZodType> {
  const found: Record<string, z.ZodType> = {};
  for (const script of LIBRARY_SCRIPTS)
    for (const declared of LIBRARY[script].options) {
      const name = hyphened(declared.name);
      if (Object.hasOwn(known, name)) continue;
      if (found[name])
        throw new Error(`Two scripts of the library have an option ${name}: one of them needs another name.`);
      found[name] = schemaOf(script, declared);
    }
  return found;
}
