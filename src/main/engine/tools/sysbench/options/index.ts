import { z } from 'zod';
import type { OptionWords } from '../../../../../shared/model/tool.ts';
import { option } from '../../tool.ts';
import { RANDOM_SCRIPTS } from '../scripts/index.ts';
import { generalOptions } from './general.ts';
import { hostOptions } from './host.ts';
import { libraryOptions, ownOptions } from './own.ts';
import { serverOptions } from './server.ts';
import { tableOptions } from './tables.ts';

const group = 'Keys';

/** How row ids are chosen. */
const randomOptions = {
  'rand-type': option(z.enum(['special', 'uniform', 'gaussian', 'pareto', 'zipfian']).default('special'), {
    title: 'Key distribution',
    main: true,
    description:
      'How rows are picked. special (default of 1.0): 75 % of the accesses hit 0.75 % of the rows, so most work is cached and contended; uniform touches all rows alike; zipfian exists from sysbench 1.1 on, of which later builds have no special.',
    group,
    when: { option: 'script', in: RANDOM_SCRIPTS },
    versions: { values: { special: { before: '1.1' }, zipfian: { from: '1.1' } } },
  }),
  'rand-spec-iter': option(z.int().min(1).default(12), {
    title: 'Special: iterations',
    description: 'Numbers averaged for one key of the special distribution; more makes its hump narrower.',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-spec-pct': option(z.int().min(0).max(100).default(1), {
    title: 'Special: hot rows',
    description:
      'Share of the rows that the hot ones of the special distribution are taken from. sysbench uses as many percent of it as “hot accesses” says: 0.75 % of the rows by default.',
    unit: '%',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-spec-res': option(z.int().min(0).max(100).default(75), {
    title: 'Special: hot accesses',
    description: 'Share of the accesses that go to the hot rows in the special distribution.',
    unit: '%',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-pareto-h': option(z.number().gt(0).lt(1).default(0.2), {
    title: 'Pareto: h',
    description: 'Shape of the Pareto distribution: 0.2 means that about 80 % of accesses hit 20 % of the rows.',
    group,
    when: { option: 'rand-type', in: ['pareto'] },
  }),
  'rand-zipfian-exp': option(z.number().min(0).default(0.8), {
    title: 'Zipfian: exponent',
    description: 'Skew of the Zipfian distribution; larger means hotter keys. sysbench 1.1 and later.',
    group,
    when: { option: 'rand-type', in: ['zipfian'] },
  }),
};

const known = {
  ...generalOptions,
  ...tableOptions,
  ...randomOptions,
  ...serverOptions,
  ...hostOptions,
  ...ownOptions,
};
const ofLibrary = libraryOptions(known);

/**
 * Every option by the name that sysbench gives it, with hyphens; `directory`, `mysql-ssl-directory`, `prepare-threads` and those of an
 * own script are the app's own. Those of the library's scripts are read from the scripts, so their type says nothing of them.
 */
export const SysbenchOptions = z.strictObject({ ...known, ...ofLibrary } as typeof known);
export type SysbenchOptions = z.output<typeof SysbenchOptions>;

/** Names of all options, in the order of the schema. */
export const OPTION_NAMES = Object.keys(SysbenchOptions.shape) as (keyof SysbenchOptions)[];

/** Options that a script of the app's library declares and sysbench's own scripts do not have. */
export const isLibraryOption = (name: string): boolean => Object.hasOwn(ofLibrary, name);

/** The value of an option of the library, by its name: those are in no type. */
export function libraryValue(options: SysbenchOptions, name: string): unknown {
  if (!isLibraryOption(name)) throw new Error(`No script of the library has an option ${name}.`);
  return Reflect.get(options, name);
}

/** The same, of an option that is a number. */
export const libraryNumber = (options: SysbenchOptions, name: string): number => Number(libraryValue(options, name));

/** Threads of `insert_rows` that read, in addition to those that write. */
export const readersOf = (options: SysbenchOptions): number =>
  options.script === 'insert_rows' ? libraryNumber(options, 'readers') : 0;

/** All threads of a run. */
export const threadsOf = (options: SysbenchOptions): number => options.threads + readersOf(options);

/** Asked for every option of every cell: a look into the schema each time takes most of the time of a large plan. */
const CONDITIONS: ReadonlyMap<string, OptionWords['when']> = new Map(
  Object.entries(SysbenchOptions.shape).map(([name, schema]) => [name, schema.meta()?.when as OptionWords['when']]),
);

/** Whether an option means anything with these options: its condition holds, and so does that of the option it depends on. */
export function applies(name: string, options: SysbenchOptions): boolean {
  const when = CONDITIONS.get(name);
  if (!when) return true;
  const value = options[when.option as keyof SysbenchOptions];
  return value !== undefined && when.in.includes(value) && applies(when.option, options);
}

/** Tables that the script uses: `select_random_*` refuses more than one. */
export const tableCount = (options: SysbenchOptions): number => (applies('tables', options) ? options.tables : 1);
