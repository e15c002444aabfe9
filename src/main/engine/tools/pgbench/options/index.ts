import { z } from 'zod';
import { option } from '../../tool.ts';

const own = { option: 'script', in: ['own', 'mix'] };

const weight = (title: string, description: string, fallback: number) =>
  option(z.int().min(0).max(1_000_000).default(fallback), {
    title,
    description,
    group: 'Workload',
    when: { option: 'script', in: ['mix'] },
  });

/** The content of each transaction. */
const scriptOptions = {
  script: option(z.enum(['tpcb-like', 'simple-update', 'select-only', 'own', 'mix']).default('tpcb-like'), {
    title: 'Script',
    main: true,
    description:
      'Transaction to run. tpcb-like updates an account, its teller and its branch; simple-update omits the two small, contended tables; select-only reads one account; own runs a custom script; mix draws from all by weight.',
    group: 'Workload',
  }),
  'tpcb-like-weight': weight('Weight of tpcb-like', 'Share of bank transactions in the mix.', 1),
  'simple-update-weight': weight('Weight of simple-update', 'Share of single updates in the mix.', 0),
  'select-only-weight': weight('Weight of select-only', 'Share of reads in the mix.', 1),
  'own-weight': weight(
    'Weight of custom scripts',
    'Share of custom scripts in the mix, multiplied by the weight of each.',
    0,
  ),
  'own-script': option(z.string().max(200_000).default(''), {
    title: 'Custom script',
    main: true,
    description:
      'SQL and pgbench’s \\set, \\if, \\gset and so on, one per line. Several scripts in one text: begin each with a line “-- script: name @weight”.',
    group: 'Workload',
    multiline: true,
    language: 'sql',
    when: own,
  }),
  define: option(
    z
      .string()
      .regex(/^([A-Za-z_]\w*=[^\s,]*([\s,]+[A-Za-z_]\w*=[^\s,]*)*)?$/, 'name=value, separated by spaces or commas.')
      .default(''),
    {
      title: 'Variables',
      main: true,
      description:
        'Variables of custom scripts as name=value, separated by spaces or commas; a script reads them as :name.',
      group: 'Workload',
      when: own,
    },
  ),
  'pgbench-tables': option(z.boolean().default(true), {
    title: 'Uses pgbench’s tables',
    description:
      'Whether custom scripts use the tables of pgbench. If off, Kneepoint does not prepare, count, vacuum or remove tables.',
    group: 'Workload',
    when: { option: 'script', in: ['own'] },
  }),
};

/** The number, rate and mode of transactions, and additional measurements. Defaults are pgbench's. */
const loadOptions = {
  client: option(z.int().min(1).max(100_000).default(1), {
    title: 'Clients',
    main: true,
    description:
      'Connections that run transactions in parallel. With tpcb-like, keep the scale at least as large, or clients mostly wait for the same branch rows.',
    unit: 'clients',
    group: 'Load',
    load: 'concurrency',
  }),
  jobs: option(z.int().min(1).max(10_000).default(1), {
    title: 'pgbench threads',
    main: true,
    description:
      'Threads that drive the clients. A single one soon becomes the bottleneck with many clients and short transactions; about one per CPU of the generator is enough.',
    unit: 'threads',
    group: 'Load',
  }),
  protocol: option(z.enum(['simple', 'extended', 'prepared']).default('simple'), {
    title: 'Protocol',
    main: true,
    description:
      'simple sends each statement as text, extended parses and binds it each time, prepared plans it once per connection. Behind PgBouncer with transaction pooling use simple: prepared needs PgBouncer 1.21 and max_prepared_statements.',
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
      'Transactions started per second over all clients, at random times; 0 = no limit. With a rate, latency counts from the planned start, so it includes stalls.',
    unit: 'tps',
    group: 'Load',
    load: 'rate',
  }),
  'latency-limit': option(z.number().min(0).default(0), {
    title: 'Latency limit',
    description:
      'Slower transactions are counted; with a target rate, those already too late are skipped. 0 = no limit.',
    unit: 'ms',
    group: 'Load',
  }),
  'max-tries': option(z.int().min(0).default(1), {
    title: 'Attempts per transaction',
    description:
      'Attempts of a transaction that fails with a serialization error or deadlock; 0 = until it succeeds. Values other than 1 need pgbench 15.',
    unit: 'tries',
    group: 'Load',
  }),
  'no-vacuum': option(z.boolean().default(false), {
    title: 'No vacuum',
    description: 'Omit the vacuum of the small tables and the truncation of pgbench_history before each run.',
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
    description: 'Count serialization errors and deadlocks separately in the final report. Needs pgbench 15.',
    group: 'Measurement',
  }),
  'aggregate-interval': option(z.int().min(0).default(0), {
    title: 'Aggregated log',
    description:
      'Seconds per row of pgbench’s aggregated log; 0 = no log. It provides the shortest and longest latency of the run, which pgbench does not report. Warm-up plus duration must be a multiple of it.',
    unit: 's',
    group: 'Measurement',
    when: { option: 'transaction-log', in: [false] },
  }),
  'transaction-log': option(z.boolean().default(false), {
    title: 'Log of every transaction',
    main: true,
    description:
      'Write the time of every transaction to a file on the generator, for latency percentiles, which pgbench does not report. It is evaluated there after the run, then removed. About 40 bytes per transaction cost the generator some disk space and time.',
    group: 'Measurement',
  }),
};

/** The tables created by prepare. A change of any of these options requires new data. */
const dataOptions = {
  scale: option(z.int().min(1).max(1_000_000).default(1), {
    title: 'Scale',
    main: true,
    description:
      'Size of the data: 100,000 accounts, 10 tellers and one branch per unit, about 15 MiB. Whether it fits into shared_buffers and memory determines what is measured.',
    group: 'Data',
  }),
  fillfactor: option(z.int().min(10).max(100).default(100), {
    title: 'Fill factor',
    description: 'Fill factor of the table pages. Below 100, updates find space in the same page (heap-only updates).',
    unit: '%',
    group: 'Data',
  }),
  'foreign-keys': option(z.boolean().default(false), {
    title: 'Foreign keys',
    description: 'Foreign keys between the tables, which every write then checks.',
    group: 'Data',
  }),
  partitions: option(z.int().min(0).max(10_000).default(0), {
    title: 'Partitions',
    description: 'Partitions of pgbench_accounts; 0 = one plain table. Needs pgbench 13.',
    unit: 'partitions',
    group: 'Data',
  }),
  'partition-method': option(z.enum(['range', 'hash']).default('range'), {
    title: 'Partition method',
    description: 'How accounts are distributed over partitions. No effect without partitions.',
    group: 'Data',
  }),
  'unlogged-tables': option(z.boolean().default(false), {
    title: 'Unlogged tables',
    description:
      'Tables without write-ahead log: faster, and empty after a crash. Not representative of a durable server.',
    group: 'Data',
  }),
  'server-side-generate': option(z.boolean().default(false), {
    title: 'Generate on the server',
    description: 'Generate rows on the server instead of sending them: faster over a slow network. Needs pgbench 13.',
    group: 'Data',
  }),
};

/** Options by pgbench's long names. `script`, the weights, `own-script` and `server-side-generate` are the app's own. */
export const PgbenchOptions = z.strictObject({ ...scriptOptions, ...loadOptions, ...dataOptions });
export type PgbenchOptions = z.output<typeof PgbenchOptions>;

/** Whether the workload uses pgbench's own four tables. */
export const usesTables = (options: PgbenchOptions): boolean => options.script !== 'own' || options['pgbench-tables'];
