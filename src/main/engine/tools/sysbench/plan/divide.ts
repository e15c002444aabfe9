import { cannotDivide, shareOf } from '../../divide.ts';
import type { Part } from '../../tool.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { usesDatabase } from '../scripts/index.ts';
import { fillsTables } from './library.ts';

/** A generator's part of the threads and of the rate; everything else is the same on each. */
export function divideSysbench(options: SysbenchOptions, part: Part): SysbenchOptions {
  const { script, threads, rate } = options;
  if (!usesDatabase(script))
    throw cannotDivide(
      `The sysbench script ${script} measures the host it runs on, so several generators would have no load in common.`,
      'Name one generator; measure the other hosts in sessions of their own.',
    );
  if (script === 'key_popularity')
    throw cannotDivide(
      'key_popularity counts lookups in its own memory, so several generators would each know a part of the histogram.',
      'Name one generator.',
    );
  if (fillsTables(options))
    throw cannotDivide(
      `${script} recreates its tables in every run, so several generators would drop each other’s.`,
      'Name one generator, or use oltp_insert.',
    );
  return {
    ...options,
    threads: shareOf(['thread', 'threads'], threads, part),
    ...(rate > 0 && { rate: shareOf(['event per second', 'events per second'], rate, part) }),
  };
}
