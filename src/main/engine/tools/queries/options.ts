import { z } from 'zod';
import { option } from '../tool.ts';

const EXAMPLE = `-- @variant count
SELECT COUNT(*) FROM information_schema.tables
`;

const MOST_CLIENTS = 256;
const MOST_STREAMS = 1000;
const Values = z.string().max(10_000);

/** The statements, the number of executions, and the comparison of results. */
export const QueryOptions = z.strictObject({
  queries: option(z.string().max(500_000).default(EXAMPLE), {
    title: 'Queries',
    description:
      'SQL, or commands of MongoDB as JSON, in sections that begin with lines like “-- @variant NAME”. The statement below a @variant is timed; @set-up and @tear-down below it are run around it, those before the first @variant around every one. @facts NAME is asked after the measurement and kept as a table; @prepare and @clean-up make and remove the data of the session. {{name}} is replaced by a value.',
    group: 'Queries',
    multiline: true,
    language: 'sql',
  }),
  variant: option(z.string().max(80).optional(), {
    title: 'Variant',
    description: 'Which variant is timed; the first if absent. As a factor it compares them.',
    group: 'Queries',
  }),
  values: option(Values.default(''), {
    title: 'Values',
    description:
      'Values of {{name}} in the queries: name=value, several separated by semicolons. As a factor it varies them together.',
    group: 'Queries',
  }),
  'values-2': option(Values.default(''), {
    title: 'Values 2',
    description: 'More of them, for a second factor that varies independently.',
    group: 'Queries',
  }),
  'values-3': option(Values.default(''), {
    title: 'Values 3',
    description: 'The same for a third factor.',
    group: 'Queries',
  }),
  executions: option(z.int().min(1).max(100_000).default(10), {
    title: 'Executions',
    description:
      'How often the statement is executed and its time taken, one after the other on one connection, by each client. The time of the experiment ends it earlier, but never within an execution. Without effect with streams, which execute each query once.',
    unit: 'times',
    group: 'Measurement',
  }),
  discard: option(z.int().min(0).max(1000).default(1), {
    title: 'Discarded executions',
    description:
      'Executions before the first whose time counts: they fill the caches. 0 shows what a first execution costs. With streams, passes of one client through the whole list.',
    unit: 'times',
    group: 'Measurement',
  }),
  clients: option(z.int().min(1).max(MOST_CLIENTS).optional(), {
    title: 'Clients',
    description:
      'Connections that execute at the same time. Default: one, and with streams one for each of them. Setting it, or streams, adds throughput to the figures. The clock starts when the discarded executions of all have ended.',
    unit: 'connections',
    group: 'Measurement',
    load: 'concurrency',
  }),
  streams: option(z.int().min(1).max(MOST_STREAMS).optional(), {
    title: 'Streams',
    description:
      'Streams through the list of queries: each executes the statements of all variants once, in an order of its own, which is the same in every run. A client takes one stream after the other. Default: no streams; the statement of one variant is executed.',
    unit: 'streams',
    group: 'Measurement',
    load: 'concurrency',
  }),
  agreement: option(z.enum(['rows-and-values', 'rows', 'none']).default('rows-and-values'), {
    title: 'Variants agree in',
    description:
      'Required agreement of a variant with the first one, which is executed once after the measurement: number of rows and every value, the number alone, or nothing. Times of different results are not comparable. With streams, the executions of one query are compared.',
    group: 'Result',
  }),
  'row-order': option(z.enum(['any', 'kept']).default('any'), {
    title: 'Order of rows',
    description: 'Whether the same rows in another order are the same result.',
    group: 'Result',
  }),
  'server-plan': option(z.enum(['none', 'explain', 'analyze', 'profile']).default('explain'), {
    title: 'Plan of the server',
    description:
      'The server’s account of the statement, stored with the result and asked for after the measurement: its plan, the plan with what an execution did (which executes it once more; MySQL before 8.0.18 has the plan alone), or its profile (MySQL, MariaDB and ClickHouse).',
    group: 'Result',
  }),
});
export type QueryOptions = z.output<typeof QueryOptions>;
