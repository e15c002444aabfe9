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
      'SQL, or MongoDB commands as JSON, in sections that begin with lines like “-- @variant NAME”. The statement of a @variant is timed; its @set-up and @tear-down run before and after it, and those above the first @variant apply to all. @facts NAME runs after the measurement and is stored as a table. @prepare and @clean-up create and remove the data of the session. {{name}} is replaced by a value.',
    group: 'Queries',
    multiline: true,
    language: 'sql',
  }),
  variant: option(z.string().max(80).optional(), {
    title: 'Variant',
    description: 'Variant to time. Default: the first. As a factor, it compares variants.',
    group: 'Queries',
  }),
  values: option(Values.default(''), {
    title: 'Values',
    description:
      'Values of {{name}} in the queries: name=value, separated by semicolons. As a factor, it varies them together.',
    group: 'Queries',
  }),
  'values-2': option(Values.default(''), {
    title: 'Values 2',
    description: 'More values, for a second factor that varies independently.',
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
      'Timed executions of the statement per client, one after the other on one connection. The duration of the experiment ends them earlier, but never within an execution. No effect with streams, which execute each query once.',
    unit: 'times',
    group: 'Measurement',
  }),
  discard: option(z.int().min(0).max(1000).default(1), {
    title: 'Discarded executions',
    description:
      'Executions before the first one that counts: they fill the caches. 0 includes the cost of the first execution. With streams, passes of one client through the whole list.',
    unit: 'times',
    group: 'Measurement',
  }),
  clients: option(z.int().min(1).max(MOST_CLIENTS).optional(), {
    title: 'Clients',
    description:
      'Connections that execute in parallel. Default: one, or one per stream. If clients or streams are set, the figures include throughput. Timing starts after the discarded executions of all clients.',
    unit: 'connections',
    group: 'Measurement',
    load: 'concurrency',
  }),
  streams: option(z.int().min(1).max(MOST_STREAMS).optional(), {
    title: 'Streams',
    description:
      'Streams through the list of queries: each executes the statements of all variants once, in its own order, which is the same in every run. A client runs one stream after the other. Default: no streams; the statement of one variant is executed.',
    unit: 'streams',
    group: 'Measurement',
    load: 'concurrency',
  }),
  agreement: option(z.enum(['rows-and-values', 'rows', 'none']).default('rows-and-values'), {
    title: 'Required agreement',
    description:
      'How far the result of a variant must match that of the first one, which is executed once for this after the measurement: number of rows and every value, number of rows alone, or not at all. Times of different results are not comparable. With streams, the executions of one query are compared.',
    group: 'Result',
  }),
  'row-order': option(z.enum(['any', 'kept']).default('any'), {
    title: 'Row order',
    description: 'Whether the same rows in a different order count as the same result.',
    group: 'Result',
  }),
  'server-plan': option(z.enum(['none', 'explain', 'analyze', 'profile']).default('explain'), {
    title: 'Query plan',
    description:
      'Read after the measurement and stored with the result: the plan, the plan with actual execution figures, or the profile (MySQL, MariaDB and ClickHouse). Actual figures need one more execution; MySQL before 8.0.18 has only the plan.',
    group: 'Result',
  }),
});
export type QueryOptions = z.output<typeof QueryOptions>;
