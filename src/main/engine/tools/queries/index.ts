import { defineTool } from '../tool.ts';
import { QueryOptions } from './options.ts';
import { QueriesParser } from './parse/index.ts';
import { clientsOf, PROGRAM, planQueries } from './plan/index.ts';

/** `Node 20.19.2`, to avoid confusion with a version of the app. */
const nodeVersion = (output: string): string | undefined => {
  const version = /^v(\d+\.\d+\.\d+)/m.exec(output)?.[1];
  return version === undefined ? undefined : `Node ${version}`;
};

/** Measures the time of user statements. It is part of the app, and copied to the host that runs it. */
export const queriesTool = defineTool(
  {
    id: 'queries',
    title: 'Timed queries',
    options: QueryOptions,
    metrics: {
      primary: (options) => (clientsOf(options) === undefined ? 'latency_avg_ms' : 'queries_per_h'),
    },
    parser: (phase, options, events) => new QueriesParser(phase, options, events),
  },
  {
    summary:
      'Custom SQL or MongoDB commands, executed repeatedly by one or more clients, or as streams through a list of queries. Records every execution time, compares results between variants, and stores query plans.',
    drives: ['mysql', 'postgres', 'mongodb', 'clickhouse'],
    partOfApp: { runs: 'anywhere', program: PROGRAM },
    probe: {
      argv: ['node', '--version'],
      version: nodeVersion,
      // Required by the MongoDB driver; those of MySQL and PostgreSQL require less.
      oldest: '20.19',
      install:
        'Timed queries need Node on their generator, and Kneepoint does not install it. Choose another host as the generator, or this computer with the target connected via the host; the queries then use its SSH connection.',
    },
    needs: () => ['mysql', 'postgres', 'mongodb', 'clickhouse'],
    plan: planQueries,
    load: {
      workers: { unit: ['client', 'clients'], count: (options) => clientsOf(options) },
      connections: (options) => clientsOf(options) ?? 1,
    },
  },
);
