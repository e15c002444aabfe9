import { z } from 'zod';
import { dataOptions } from './data.ts';
import { loadOptions } from './load.ts';
import { scriptOptions } from './script.ts';

/** Options by pgbench's own long names; `script`, the weights, `own-script` and `server-side-generate` are the app's own. */
export const PgbenchOptions = z.strictObject({ ...scriptOptions, ...loadOptions, ...dataOptions });
export type PgbenchOptions = z.output<typeof PgbenchOptions>;

/** Whether the workload uses pgbench's own four tables. */
export const usesTables = (options: PgbenchOptions): boolean => options.script !== 'own' || options['pgbench-tables'];
