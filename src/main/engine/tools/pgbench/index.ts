import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import { libpqReadable } from '../secret.ts';
import { type DataNeed, defineTool, type ToolStatements } from '../tool.ts';
import { PgbenchOptions, usesTables } from './options/index.ts';
import { PgbenchParser } from './parse/index.ts';
import { dividePgbench, planPgbench } from './plan/index.ts';

export const pgbenchTool = defineTool(
  {
    id: 'pgbench',
    title: 'pgbench',
    options: PgbenchOptions,
    metrics: {
      primary: () => 'tps',
      failures: ['failed_total'],
      settings:
        /^(?:script_\d+_)?(?:scaling_factor|partitions|clients|threads|max_tries|transactions_per_client|planned_s|weight)$/,
    },
    parser: (phase, _options, events) => new PgbenchParser(phase, events),
  },
  {
    summary: 'PostgreSQL’s own benchmark: bank transactions, reads by key, or custom scripts with weights.',
    drives: ['postgres'],
    probe: {
      argv: ['pgbench', '--version'],
      version: (output) => /^pgbench \(PostgreSQL\) (\d+(?:\.\d+)*)/m.exec(output)?.[1],
      oldest: '11',
      install:
        'apt-get install postgresql-contrib (Debian, Ubuntu), dnf install postgresql-contrib (Fedora), brew install postgresql (macOS)',
      packages: { 'apt-get': 'postgresql-contrib', dnf: 'postgresql-contrib', brew: 'postgresql' },
    },
    needs: () => ['postgres'],
    data: dataNeed,
    storage: (options) => (dataNeed(options) ? (options['unlogged-tables'] ? 'unlogged' : 'permanent') : undefined),
    plan: planPgbench,
    restarts: () => '--time=',
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
  },
);

/** Its built-in scripts except select-only are BEGIN … END. For a user's script, its text decides. */
function statementsOf(options: PgbenchOptions): ToolStatements {
  const runs = (name: 'tpcb-like' | 'simple-update' | 'own'): boolean =>
    options.script === name || (options.script === 'mix' && options[`${name}-weight`] > 0);
  const own = runs('own') && /^\s*(begin|start\s+transaction)\b/im.test(options['own-script']);
  const transactions = runs('tpcb-like') || runs('simple-update') || own;
  return { transactions, readsInTransactions: transactions, prepared: options.protocol === 'prepared' };
}

const ACCOUNTS = 100_000;
const TELLERS = 10;
/** Bytes on disk per unit of scale: 13.4 MB of accounts at fill factor 100, and 2.3 MB of their index. */
const TABLE_BYTES = 13_434_880;
const INDEX_BYTES = 2_260_992;
/** Maximum partitions counted one by one. */
const COUNTED_PARTITIONS = 64;

/** Rows of each range partition: pgbench divides the ids into equal parts, rounded up. Unknown for hash partitions. */
function partitionRows(options: PgbenchOptions): { name: string; rows: number }[] {
  const { partitions, scale } = options;
  if (options['partition-method'] !== 'range' || partitions === 0 || partitions > COUNTED_PARTITIONS) return [];
  const part = Math.ceil((ACCOUNTS * scale) / partitions);
  return Array.from({ length: partitions }, (_, index) => ({
    name: `pgbench_accounts_${index + 1}`,
    rows: Math.max(0, Math.min(part, ACCOUNTS * scale - index * part)),
  }));
}

/** Whether a run modifies pgbench's tables. The effect of an own script is unknown: it counts as writing. */
function writesTables(options: PgbenchOptions): boolean {
  const { script } = options;
  if (script !== 'mix') return script !== 'select-only';
  return options['tpcb-like-weight'] + options['simple-update-weight'] + options['own-weight'] > 0;
}

/** Tables that the workload requires. pgbench_history grows with each run, so its rows are not checked. */
function dataNeed(options: PgbenchOptions): DataNeed | undefined {
  if (!usesTables(options)) return undefined;
  const { scale, partitions } = options;
  const bytes = Math.round(scale * ((TABLE_BYTES * 100) / options.fillfactor + INDEX_BYTES));
  const shape = [
    ...(partitions > 0 ? [`${partitions} ${options['partition-method']} partitions`] : []),
    ...(options['foreign-keys'] ? ['foreign keys'] : []),
    ...(options['unlogged-tables'] ? ['unlogged'] : []),
    ...(options.fillfactor < 100 ? [`fill factor ${options.fillfactor}`] : []),
  ];
  return {
    title: `pgbench tables of scale ${formatNumber(scale)}${shape.map((word) => `, ${word}`).join('')}: ${formatNumber(ACCOUNTS * scale)} accounts, about ${formatBytes(bytes)}`,
    bytes,
    tables: [
      { name: 'pgbench_branches', rows: scale },
      { name: 'pgbench_tellers', rows: TELLERS * scale },
      { name: 'pgbench_accounts', rows: ACCOUNTS * scale },
      ...partitionRows(options),
    ],
    shape: shape.join(', ') || 'plain tables',
    written: writesTables(options),
  };
}
