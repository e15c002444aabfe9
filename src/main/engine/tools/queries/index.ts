import { defineTool } from '../tool.ts';
import { QueryOptions } from './options.ts';
import { QueriesParser } from './parse.ts';
import { planQueries } from './plan.ts';

/** Times of statements of one's own; part of the app, so nothing has to be installed. */
export const queriesTool = defineTool({
  id: 'queries',
  title: 'Timed queries',
  summary:
    'Your own SQL or MongoDB commands, executed again and again on one connection: every time, the result compared between variants, the server’s plan beside it.',
  options: QueryOptions,
  drives: ['mysql', 'postgres', 'mongodb'],
  partOfApp: true,
  primaryMetric: () => 'latency_avg_ms',
  needs: () => ['mysql', 'postgres', 'mongodb'],
  plan: planQueries,
  parser: (step, options, events) => new QueriesParser(step, options, events),
});
