import { shareOf } from '../../divide.ts';
import type { Part } from '../../tool.ts';
import type { PgbenchOptions } from '../options/index.ts';

/** A generator's part of the clients, the threads that drive them, and the rate; everything else is the same on each. */
export function dividePgbench(options: PgbenchOptions, part: Part): PgbenchOptions {
  const client = shareOf(['client', 'clients'], options.client, part);
  const jobs = Math.max(1, Math.ceil(options.jobs / part.count));
  return {
    ...options,
    client,
    jobs: Math.min(jobs, client),
    ...(options.rate > 0 && { rate: options.rate / part.count }),
    // It empties pgbench_history, which the others are filling by then.
    'no-vacuum': options['no-vacuum'] || part.index > 0,
  };
}
