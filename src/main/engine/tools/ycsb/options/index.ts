import { z } from 'zod';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import { option } from '../../tool.ts';
import { programOptions } from './program.ts';
import { CORE_MIXES, type Mix, workloadOptions } from './workload.ts';

const load = 'Load';
const measurement = 'Measurement';

/** The amount of load, and the measurements. */
const loadOptions = {
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
      'The run ends early after this many operations. Default: no limit, or 50,000 per second for workloads that insert with zipfian popularity, which derive the expected number of records from it.',
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

/** All options by YCSB's names. The app's own ones are listed in their files. */
export const YcsbOptions = z.strictObject({ ...workloadOptions, ...loadOptions, ...programOptions });
export type YcsbOptions = z.output<typeof YcsbOptions>;

/** Tolerance for sums of decimal shares such as 0.1 + 0.2. */
const NEARLY = 1e-6;

/** The shares of operations in the workload. Throws `experiment-invalid` if the sum of own shares is not 1. */
export function mixOf(options: YcsbOptions): Mix {
  if (options.workload !== 'own') return CORE_MIXES[options.workload];
  const mix: Mix = {
    read: options.readproportion,
    update: options.updateproportion,
    insert: options.insertproportion,
    scan: options.scanproportion,
    readmodifywrite: options.readmodifywriteproportion,
  };
  const sum = Object.values(mix).reduce((total, each) => total + each, 0);
  if (Math.abs(sum - 1) <= NEARLY) return mix;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The shares of reads, updates, inserts, scans and read-modify-writes add up to ${Number(sum.toFixed(6))}, not 1.`,
    safe: 'Nothing was started.',
    next: 'Change the options “readproportion” to “readmodifywriteproportion” so that their sum is 1.',
  });
}

export function distributionOf(options: YcsbOptions): NonNullable<YcsbOptions['requestdistribution']> {
  if (options.requestdistribution) return options.requestdistribution;
  if (options.workload === 'own') return 'uniform';
  return options.workload === 'D' ? 'latest' : 'zipfian';
}

/** The kind of binding that uses a table of a saved target. All others take their address from properties. */
export function drivesTarget({ binding }: YcsbOptions): 'jdbc' | 'mongodb' | undefined {
  if (binding === 'jdbc') return 'jdbc';
  return binding === 'mongodb' || binding === 'mongodb-async' ? 'mongodb' : undefined;
}

/** Whether a run adds records, which the next one would find. */
export const addsRecords = (options: YcsbOptions): boolean => options.phase === 'load' || mixOf(options).insert > 0;

/** A measured load of a part of the keys: other data in the table is kept, as other generators may be loading it. */
export const loadsPart = ({ phase, insertcount }: YcsbOptions): boolean =>
  phase === 'load' && insertcount !== undefined;
