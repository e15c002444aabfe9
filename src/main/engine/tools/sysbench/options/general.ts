import { z } from 'zod';
import { option } from '../../tool.ts';
import { SCRIPTS, SQL_SCRIPTS } from '../scripts/index.ts';

/** Options of every sysbench test. Defaults are those of sysbench 1.0.20. */
export const generalOptions = {
  script: option(z.enum(SCRIPTS).default('oltp_read_write'), {
    title: 'Script',
    main: true,
    description:
      'Script of an event. oltp_* and select_* run SQL over sysbench’s own tables, bulk_insert fills tables, fileio, cpu and memory measure the host itself. The others are Kneepoint’s: tpcc an order-entry mix, insert_rows single rows into a growing table, lookups lists and ranges of keys, reads_outside reads before the transaction, object_history joins with a history, many_schemas very many tables, key_popularity how often each row is accessed. own is your Lua script.',
    group: 'Workload',
  }),
  threads: option(z.int().min(1).max(100_000).default(1), {
    title: 'Threads',
    main: true,
    description: 'Connections or workers that run events in parallel. The first factor of most experiments.',
    unit: 'threads',
    group: 'Load',
    load: 'concurrency',
  }),
  'prepare-threads': option(z.int().min(1).max(1000).optional(), {
    title: 'Prepare threads',
    description:
      'Connections that prepare the data in parallel. The result does not depend on it; more are faster if the data is large or has very many tables. Default: 4, or 1 for a custom script, whose prepare might not divide its work between threads.',
    unit: 'threads',
    group: 'Data',
    when: {
      option: 'script',
      in: SQL_SCRIPTS.filter((script) => script !== 'bulk_insert' && script !== 'insert_rows'),
    },
  }),
  rate: option(z.int().min(0).default(0), {
    title: 'Target rate',
    main: true,
    description:
      'Events started per second over all threads; 0 = no limit. With a rate, latency includes the waiting time of late events, so it shows stalls.',
    unit: 'events/s',
    group: 'Load',
    load: 'rate',
  }),
  percentile: option(z.int().min(0).max(100).default(95), {
    title: 'Percentile',
    main: true,
    description: 'The one latency percentile that sysbench prints each second and in its report; 0 turns it off.',
    unit: '%',
    group: 'Measurement',
  }),
  histogram: option(z.boolean().default(false), {
    title: 'Latency histogram',
    description:
      'Print the latency histogram of the whole run in the final report. The final figures then have the median and the 75th, 90th, 95th, 99th and 99.9th percentile.',
    group: 'Measurement',
  }),
  'report-checkpoints': option(
    z
      .string()
      .regex(/^(\d+(,\d+)*)?$/, 'Seconds, separated by commas.')
      .default(''),
    {
      title: 'Checkpoints',
      description:
        'Seconds after the start at which a full report is printed and all counters restart, so the final report covers the time after the last one. Empty = one at the end of the warm-up, but none with a custom script.',
      unit: 's',
      group: 'Measurement',
    },
  ),
  'forced-shutdown': option(
    z
      .string()
      .regex(/^(off|\d+)$/, '“off”, or a number of seconds.')
      .default('off'),
    {
      title: 'Forced shutdown',
      description:
        'Seconds to wait for hanging events after the planned end before the run is forced to end; off = no limit. A forced end has exit code 2 and no complete result.',
      unit: 's',
      group: 'Measurement',
    },
  ),
  validate: option(z.boolean().default(false), {
    title: 'Validate',
    description: 'Check results where the test supports it, at some cost in speed. Leave off when measuring.',
    group: 'Measurement',
  }),
  'thread-init-timeout': option(z.int().min(1).optional(), {
    title: 'Thread start limit',
    description: 'Seconds all threads may take to connect before sysbench gives up. sysbench 1.1 and later.',
    unit: 's',
    group: 'Load',
    versions: { from: '1.1' },
  }),
};
