import { libpqReadable } from '../libpq.ts';
import { defineTool, type ToolStatements } from '../tool.ts';
import { dataNeed } from './data.ts';
import { PgbenchOptions } from './options/index.ts';
import { PgbenchParser } from './parse/index.ts';
import { dividePgbench } from './plan/divide.ts';
import { planPgbench } from './plan/index.ts';

export const pgbenchTool = defineTool({
  id: 'pgbench',
  title: 'pgbench',
  summary: 'PostgreSQL’s own benchmark: bank transactions, reads by key, or scripts of your own with weights.',
  options: PgbenchOptions,
  drives: ['postgres'],
  probe: {
    argv: ['pgbench', '--version'],
    version: (output) => /^pgbench \(PostgreSQL\) (\d+(?:\.\d+)*)/m.exec(output)?.[1],
    oldest: '11',
    install:
      'apt-get install postgresql-contrib (Debian, Ubuntu), dnf install postgresql-contrib (Fedora), brew install postgresql (macOS)',
  },
  metrics: {
    primary: () => 'tps',
    failures: ['failed_total'],
    settings:
      /^(?:script_\d+_)?(?:scaling_factor|partitions|clients|threads|max_tries|transactions_per_client|planned_s|weight)$/,
  },
  needs: () => ['postgres'],
  data: dataNeed,
  storage: (options) => (dataNeed(options) ? (options['unlogged-tables'] ? 'unlogged' : 'permanent') : undefined),
  plan: planPgbench,
  load: {
    workers: { unit: ['client', 'clients'], count: (options) => options.client },
    threads: (options) => options.jobs,
    connections: (options) => options.client,
    rate: ({ rate }) => rate || undefined,
    statements: statementsOf,
    pauses: (options) => /^\s*\\sleep\b/im.test(options['own-script']),
    divide: dividePgbench,
  },
  readablePassword: ({ connection, version }) =>
    libpqReadable(connection, version === undefined ? undefined : Number.parseInt(version, 10)),
  parser: (phase, _options, events) => new PgbenchParser(phase, events),
});

/** Its own scripts but select-only are BEGIN … END; of a person’s the text tells. */
function statementsOf(options: PgbenchOptions): ToolStatements {
  const runs = (name: 'tpcb-like' | 'simple-update' | 'own'): boolean =>
    options.script === name || (options.script === 'mix' && options[`${name}-weight`] > 0);
  const own = runs('own') && /^\s*(begin|start\s+transaction)\b/im.test(options['own-script']);
  const transactions = runs('tpcb-like') || runs('simple-update') || own;
  return { transactions, readsInTransactions: transactions, prepared: options.protocol === 'prepared' };
}
