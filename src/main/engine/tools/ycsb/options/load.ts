import { z } from 'zod';
import { option } from '../../tool.ts';

const load = 'Load';
const measurement = 'Measurement';

/** The amount of load, and the measurements. */
export const loadOptions = {
  threads: option(z.int().min(1).max(100_000).default(1), {
    title: 'Threads',
    main: true,
    description: 'Parallel threads, each with its own connection.',
    unit: 'threads',
    group: load,
    load: 'concurrency',
  }),
  target: option(z.int().min(0).default(0), {
    title: 'Target rate',
    main: true,
    description:
      'Total target rate of all threads in operations per second; 0 = no limit. With a rate, use the intended latencies: the others exclude the time waiting behind a slow operation.',
    unit: 'ops/s',
    group: load,
    load: 'rate',
  }),
  operationcount: option(z.int().min(1).max(2_147_483_647).optional(), {
    title: 'Operations',
    main: true,
    description:
      'The run ends early after this many operations. Default: only the time ends it. Workloads that insert with zipfian popularity derive the expected number of records from it; it is then 50,000 per second.',
    unit: 'operations',
    group: load,
    when: { option: 'phase', in: ['run'] },
  }),
  'load-threads': option(z.int().min(1).max(10_000).default(8), {
    title: 'Load threads',
    description: 'Threads that load the table if loading is not measured.',
    unit: 'threads',
    group: load,
    when: { option: 'phase', in: ['run'] },
  }),
  measurementtype: option(
    z
      .enum(['hdrhistogram', 'histogram', 'timeseries', 'raw', 'hdrhistogram+histogram', 'hdrhistogram+raw'])
      .default('hdrhistogram'),
    {
      title: 'Measurement',
      description:
        'hdrhistogram reports counts and percentiles every second; histogram and timeseries only means; raw prints a line per operation, which costs throughput and disk space.',
      group: measurement,
    },
  ),
  'measurement.interval': option(z.enum(['op', 'intended', 'both']).default('op'), {
    title: 'Latency from',
    description:
      'op: from the start of an operation; intended: from its planned start at the target rate; both: reports both.',
    group: measurement,
  }),
  'hdrhistogram.percentiles': option(
    z
      .string()
      .regex(/^\d{1,2}(\.\d+)?(,\d{1,2}(\.\d+)?)*$/, 'Percentiles below 100, separated by commas.')
      .default('50,95,99,99.9'),
    {
      title: 'Percentiles',
      description: 'Percentiles of the final report. Those of every second are always 90, 99, 99.9 and 99.99.',
      group: measurement,
    },
  ),
  'hdrhistogram.fileoutput': option(z.boolean().default(true), {
    title: 'Latencies of every second',
    description:
      'Record a latency histogram of each second on the generator, so that percentiles over several repeats cover all operations and follow the warm-up cut. YCSB writes it once a second, a few kilobytes per kind of operation; it is printed after the run.',
    group: measurement,
    when: { option: 'measurementtype', in: ['hdrhistogram', 'hdrhistogram+histogram', 'hdrhistogram+raw'] },
  }),
};
