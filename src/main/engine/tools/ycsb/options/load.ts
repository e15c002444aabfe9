import { z } from 'zod';
import { option } from '../../tool.ts';

const load = 'Load';
const measurement = 'Measurement';

/** The amount of load, and the measurements. */
export const loadOptions = {
  threads: option(z.int().min(1).max(100_000).default(1), {
    title: 'Threads',
    main: true,
    description: 'Threads that work at the same time, each with a connection of its own.',
    unit: 'threads',
    group: load,
    load: 'concurrency',
  }),
  target: option(z.int().min(0).default(0), {
    title: 'Target rate',
    main: true,
    description:
      'Operations per second that all threads together try to keep; 0 = as fast as they can. Look at the intended latencies then: the others leave out the waiting behind a slow operation.',
    unit: 'ops/s',
    group: load,
    load: 'rate',
  }),
  operationcount: option(z.int().min(1).max(2_147_483_647).optional(), {
    title: 'Operations',
    main: true,
    description:
      'The run ends early once this many are done. Absent: the time alone ends it. Workloads that insert with zipfian popularity spread it over as many records as this number makes them expect; it is then 50,000 for each second.',
    unit: 'operations',
    group: load,
    when: { option: 'phase', in: ['run'] },
  }),
  'load-threads': option(z.int().min(1).max(10_000).default(8), {
    title: 'Load threads',
    description: 'Threads that fill the table when the load is not what is measured.',
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
        'hdrhistogram gives counts and percentiles of every second; histogram and timeseries only means; raw prints a line for every operation, which costs throughput and disk.',
      group: measurement,
    },
  ),
  'measurement.interval': option(z.enum(['op', 'intended', 'both']).default('op'), {
    title: 'Latency from',
    description:
      'op: from the start of an operation; intended: from the moment it was due at the target rate; both gives both.',
    group: measurement,
  }),
  'hdrhistogram.percentiles': option(
    z
      .string()
      .regex(/^\d{1,2}(\.\d+)?(,\d{1,2}(\.\d+)?)*$/, 'Percentiles below 100 with commas between.')
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
      'Count on the generator how many operations of each second took how long, so that percentiles of several repeats are of all their operations and follow the cut. YCSB writes it once a second, some kilobytes for each kind of operation; it is printed after the run.',
    group: measurement,
    when: { option: 'measurementtype', in: ['hdrhistogram', 'hdrhistogram+histogram', 'hdrhistogram+raw'] },
  }),
};
