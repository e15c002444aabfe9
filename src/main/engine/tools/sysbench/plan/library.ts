import { libraryNumber, type SysbenchOptions } from '../options/index.ts';

/** Events after which a run ends before its time; 0 = none. */
export function eventLimit(options: SysbenchOptions): number {
  if (options.script === 'key_popularity') return libraryNumber(options, 'lookups');
  if (options.script !== 'insert_rows') return 0;
  const rows = options.threads * libraryNumber(options, 'rows-per-writer');
  return Math.ceil(rows / libraryNumber(options, 'rows-per-insert'));
}

/** Scripts that fill empty tables: each run drops what the one before left. */
export const fillsTables = (options: SysbenchOptions): boolean =>
  options.script === 'bulk_insert' || options.script === 'insert_rows';
