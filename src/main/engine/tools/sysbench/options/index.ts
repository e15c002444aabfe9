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
      'How rows are selected. special (default of 1.0): 75 % of the accesses hit 0.75 % of the rows, so most work is cached and contended; uniform accesses all rows equally; zipfian needs sysbench 1.1, whose later builds lack special.',
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
      'Share of the rows from which hot rows of the special distribution are taken. sysbench uses only the percentage of it that “hot accesses” sets: 0.75 % of all rows by default.',
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
 * All options by sysbench's names, with hyphens. `directory`, `mysql-ssl-directory`, `prepare-threads` and those of own scripts are the app's own.
 * The type does not include options of library scripts, which are read from the scripts.
 */
export const SysbenchOptions = z.strictObject({ ...known, ...ofLibrary } as typeof known);
export type SysbenchOptions = z.output<typeof SysbenchOptions>;

/** Names of all options, in schema order. */
export const OPTION_NAMES = Object.keys(SysbenchOptions.shape) as (keyof SysbenchOptions)[];

/** Whether a library script declares the option and sysbench's own scripts do not have it. */
export const isLibraryOption = (name: string): boolean => Object.hasOwn(ofLibrary, name);

/** The value of a library option by name, as types do not include them. */
export function libraryValue(options: SysbenchOptions, name: string): unknown {
  if (!isLibraryOption(name)) throw new Error(`No script of the library has an option ${name}.`);
  return Reflect.get(options, name);
}

/** The value of a numeric library option. */
export const libraryNumber = (options: SysbenchOptions, name: string): number => Number(libraryValue(options, name));

/** Reading threads of `insert_rows`, in addition to the writing ones. */
export const readersOf = (options: SysbenchOptions): number =>
  options.script === 'insert_rows' ? libraryNumber(options, 'readers') : 0;

/** All threads of a run. */
export const threadsOf = (options: SysbenchOptions): number => options.threads + readersOf(options);

/** Conditions are needed for every option of every cell: looking them up in the schema each time takes most of the time of a large plan. */
const CONDITIONS: ReadonlyMap<string, OptionWords['when']> = new Map(
  Object.entries(SysbenchOptions.shape).map(([name, schema]) => [name, schema.meta()?.when as OptionWords['when']]),
);

/** Whether an option has an effect: its condition holds, and so does that of the option it depends on. */
export function applies(name: string, options: SysbenchOptions): boolean {
  const when = CONDITIONS.get(name);
  if (!when) return true;
  const value = options[when.option as keyof SysbenchOptions];
  return value !== undefined && when.in.includes(value) && applies(when.option, options);
}

/** Tables that the script uses: `select_random_*` does not accept more than one. */
export const tableCount = (options: SysbenchOptions): number => (applies('tables', options) ? options.tables : 1);
