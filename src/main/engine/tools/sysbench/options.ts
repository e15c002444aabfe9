import { z } from 'zod';
import type { OptionWords } from '../../../../shared/model/tool.ts';
import { generalOptions } from './options-general.ts';
import { hostOptions } from './options-host.ts';
import { randomOptions } from './options-random.ts';
import { serverOptions } from './options-server.ts';
import { tableOptions } from './options-tables.ts';

/** Every option by the name that sysbench gives it, with hyphens; `directory` and `mysql-ssl-directory` are the app's own. */
export const SysbenchOptions = z.strictObject({
  ...generalOptions,
  ...tableOptions,
  ...randomOptions,
  ...serverOptions,
  ...hostOptions,
});
export type SysbenchOptions = z.output<typeof SysbenchOptions>;

/** Names of all options, in the order of the schema. */
export const OPTION_NAMES = Object.keys(SysbenchOptions.shape) as (keyof SysbenchOptions)[];

const conditionOf = (name: string): OptionWords['when'] => {
  const schema = SysbenchOptions.shape[name as keyof typeof SysbenchOptions.shape];
  return schema?.meta()?.when as OptionWords['when'];
};

/** Whether an option means anything with these options: its condition holds, and so does that of the option it depends on. */
export function applies(name: string, options: SysbenchOptions): boolean {
  const when = conditionOf(name);
  if (!when) return true;
  const value = options[when.option as keyof SysbenchOptions];
  return value !== undefined && when.in.includes(value) && applies(when.option, options);
}

/** Tables that the script uses: `select_random_*` refuses more than one. */
export const tableCount = (options: SysbenchOptions): number => (applies('tables', options) ? options.tables : 1);
