import { z } from 'zod';
import type { OptionWords } from '../../../../../shared/model/tool.ts';
import { generalOptions } from './general.ts';
import { hostOptions } from './host.ts';
import { libraryOptions } from './library.ts';
import { ownOptions } from './own.ts';
import { randomOptions } from './random.ts';
import { serverOptions } from './server.ts';
import { tableOptions } from './tables.ts';

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
