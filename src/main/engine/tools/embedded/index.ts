import { defineTool } from '../tool.ts';
import { embeddedOptions, recordAccesses } from './options.ts';
import { embeddedParser } from './parse.ts';
import { pathsOf } from './paths.ts';
import { planEmbedded } from './plan.ts';

/** Benchmark of SQLite with the core workloads of YCSB; part of the app, so nothing has to be installed. */
export const embeddedTool = defineTool({
  id: 'embedded',
  title: 'Embedded SQLite',
  summary:
    'Reads, updates, inserts and scans on an SQLite database on this computer: the core workloads of YCSB, nothing to install.',
  metrics: { primary: () => 'ops', failures: ['errors_total'] },
  load: {
    workers: { unit: ['thread', 'threads'], count: (options) => options.threads },
    rate: ({ rate }) => rate || undefined,
  },
  options: embeddedOptions,
  drives: ['sqlite'],
  partOfApp: { runs: 'here' },
  processes: ['node'],
  paths: pathsOf,
  accesses: recordAccesses,
  plan: planEmbedded,
  parser: (_step, _options, events) => embeddedParser(events),
  // Without a saved target it brings a database of its own.
  needs: () => ['sqlite'],
});
