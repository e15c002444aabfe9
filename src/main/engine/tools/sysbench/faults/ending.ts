import type { EndingWords } from '../../ending.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { usesDatabase } from '../scripts/index.ts';
import { faultFinding } from './index.ts';

/** sysbench prints nothing when it crashes, so the likely cause is told by what was going on. */
function crashCause(options: SysbenchOptions): string {
  if (!usesDatabase(options.script)) return 'Check the host’s log (dmesg) for the crash.';
  const ignored = options['mysql-ignore-errors'].split(',');
  if (ignored.some((entry) => entry === 'all' || entry === '2013' || entry === '2006'))
    return 'Likely: a connection was lost while mysql-ignore-errors covers that, and the reconnect of sysbench with MariaDB’s client library crashes. Remove 2006, 2013 and all from mysql-ignore-errors.';
  return 'Likely: the connection to the database was lost (sysbench 1.0 crashes then with PostgreSQL, and with MySQL when it tries to reconnect). Check the server’s log for a restart or a killed connection at this time.';
}

export const endingWords = (options: SysbenchOptions): EndingWords => ({
  name: 'sysbench',
  crashNext: crashCause(options),
  missing: faultFinding('tool-missing'),
});
