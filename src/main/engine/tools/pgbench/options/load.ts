import { z } from 'zod';
import { option } from '../../tool.ts';

/** How hard and how the transactions come, and what is measured beside them. Defaults are pgbench's. */
export const loadOptions = {
  client: option(z.int().min(1).max(100_000).default(1), {
    title: 'Clients',
    main: true,
    description:
      'Connections that run transactions at the same time. With tpcb-like keep the scale at least as large, or clients mostly wait for the same branch rows.',
    unit: 'clients',
    group: 'Load',
    load: 'concurrency',
  }),
  jobs: option(z.int().min(1).max(10_000).default(1), {
    title: 'pgbench threads',
    main: true,
    description:
      'Threads that drive the clients. One is soon the bottleneck with many clients of short transactions; about one for each processor of the generator is enough.',
    unit: 'threads',
    group: 'Load',
  }),
  protocol: option(z.enum(['simple', 'extended', 'prepared']).default('simple'), {
    title: 'Protocol',
    main: true,
    description:
      'simple sends each statement as text, extended parses and binds it each time, prepared plans it once for each connection. Behind PgBouncer in transaction pooling take simple: prepared needs its version 1.21 and max_prepared_statements.',
    group: 'Load',
  }),
  connect: option(z.boolean().default(false), {
    title: 'Connect for each transaction',
    main: true,
    description: 'Open a new connection for every transaction: measures the cost of connecting, and poolers.',
    group: 'Load',
  }),
  rate: option(z.number().min(0).default(0), {
    title: 'Target rate',
    main: true,
    description:
      'Transactions offered per second over all clients, at random moments; 0 = as fast as they go. With a rate latency counts from the planned moment, so stalls show in it.',
    unit: 'tps',
    group: 'Load',
    load: 'rate',
  }),
  'latency-limit': option(z.number().min(0).default(0), {
    title: 'Latency limit',
    description:
      'Transactions slower than this are counted; with a target rate those already too late are skipped. 0 = no limit.',
    unit: 'ms',
    group: 'Load',
  }),
  'max-tries': option(z.int().min(0).default(1), {
    title: 'Tries per transaction',
    description:
      'How often a transaction is tried that fails with a serialization error or a deadlock; 0 = until it succeeds. Values other than 1 need pgbench 15.',
    unit: 'tries',
    group: 'Load',
  }),
  'no-vacuum': option(z.boolean().default(false), {
    title: 'No vacuum',
    description:
      'Leave out the vacuum of the small tables and the emptying of pgbench_history that come before each run.',
    group: 'Load',
  }),
  'report-per-command': option(z.boolean().default(false), {
    title: 'Latency of each statement',
    description:
      'Report the mean latency of every statement at the end. It reads the clock more often, which costs a little throughput.',
    group: 'Measurement',
  }),
  'failures-detailed': option(z.boolean().default(false), {
    title: 'Failures by kind',
    description: 'Count serialization errors and deadlocks apart in the final report. Needs pgbench 15.',
    group: 'Measurement',
  }),
  'aggregate-interval': option(z.int().min(0).default(0), {
    title: 'Aggregated log',
    description:
      'Seconds of each row of pgbench’s aggregated log; 0 = no log. From it come the shortest and the longest latency of the run, which pgbench does not report. Warm-up and duration together must be a multiple of it.',
    unit: 's',
    group: 'Measurement',
    when: { option: 'transaction-log', in: [false] },
  }),
  'transaction-log': option(z.boolean().default(false), {
    title: 'Log of every transaction',
    main: true,
    description:
      'Write the time of every transaction to a file on the generator, from which the percentiles of its latencies follow; pgbench reports none. It is counted there after the run, and removed. A line of about 40 bytes for each transaction costs the generator some disk and time.',
    group: 'Measurement',
  }),
};
