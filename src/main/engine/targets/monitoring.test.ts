import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Reading, SeriesRule } from '../../../shared/model/monitored.ts';
import { countersOf, instanceIn, seriesOf } from '../../../shared/monitoring/index.ts';
import { TARGETS, targetByKind } from './index.ts';

/**
 * Figures of real servers: values under load by name, and some seconds later (null: not reported). All their InnoDB and performance schema counters
 * were enabled.
 */
const RECORDED = TARGETS.flatMap(({ kind, monitoring }) => {
  if (!monitoring) return [];
  const folder = new URL(`./${kind}/monitoring/fixtures/`, import.meta.url);
  return readdirSync(folder).map((file) => ({
    kind,
    server: file.replace('.json', ''),
    values: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, [number | null, number | null]>,
  }));
});
const rulesOf = (kind: string): readonly SeriesRule[] => targetByKind(kind).monitoring?.rules ?? [];
const grows = ({ kind }: Reading): boolean => kind === 'rate' || kind === 'share' || kind === 'per';
const seriesOfRecorded = ({ kind, values }: (typeof RECORDED)[number]) =>
  seriesOf(rulesOf(kind), Object.keys(values), (name) => values[name]?.[0] ?? undefined);

/** Words in names that suggest a gauge, and names that contain such a word but are counters. */
const STATE =
  /current(?!_(stmt|row))|pending|(^|[._ ])(max|avg|free|unused|running|connected|active|size|age|length|waiting|pct|oldest)([._ ]|$)/i;
const COUNTS_ALL_THE_SAME = [
  'Connection_errors_max_connections',
  'Innodb_buffer_pool_wait_free',
  'Innodb_lsn_current',
  'Innodb_master_thread_active_loops',
  'Innodb_redo_log_current_lsn',
  'Max_execution_time_exceeded',
  'Max_execution_time_set',
  'Max_execution_time_set_failed',
  'Max_statement_time_exceeded',
  'innodb_metrics.buffer_LRU_get_free_loops',
  'innodb_metrics.buffer_LRU_get_free_search',
  'innodb_metrics.buffer_LRU_get_free_waits',
  'innodb_metrics.buffer_page_read_ibuf_free_list',
  'innodb_metrics.buffer_page_written_ibuf_free_list',
  'innodb_metrics.innodb_dict_lru_count_active',
  'innodb_metrics.innodb_master_active_loops',
  'innodb_metrics.log_lsn_current',
  'innodb_metrics.trx_rollback_active',
  // Milliseconds that sessions have spent.
  'pg_stat_database.active_time',
];
/** Figures missing in the recordings. The ClickHouse library, recorded instead of a server, calculates no asynchronous metrics. */
const NOT_RECORDED = [
  'parts.most',
  // Reported by servers with a thread pool; the recorded servers have a thread per connection.
  'connections.queued',
  // From PostgreSQL, added after the recording.
  'encryption.*',
  // Only from MySQL, and only if a limit is set.
  'innodb.queued',
];

/** The process of each kind whose name differs most from that of the kind. */
const PROCESSES: Readonly<Record<string, string>> = {
  mysql: 'mariadbd',
  postgres: 'pgbouncer',
  mongodb: 'ferretdb',
  clickhouse: 'clickhouse-serv',
};

describe.each(RECORDED)('$kind: counters of $server', (recorded) => {
  const { kind, values } = recorded;
  const series = seriesOfRecorded(recorded);

  test('are all available as a series', () => {
    const read = new Set(series.flatMap(({ reading }) => countersOf(reading)));
    expect(Object.keys(values).filter((name) => !read.has(name))).toEqual([]);
  });

  test('have one series for each id, with positive limits', () => {
    const ids = series.map(({ series: { id } }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { series: each } of series) if (each.limit) expect(each.limit.value).toBeGreaterThan(0);
  });

  test('are not a rate if they have decreased', () => {
    const fell = Object.entries(values).flatMap(([name, [before, after]]) =>
      before !== null && after !== null && after < before ? [name] : [],
    );
    if (kind !== 'mongodb' && !recorded.server.startsWith('pgbouncer')) expect(fell.length).toBeGreaterThan(0);
    const wrong = series.filter(
      ({ reading }) => grows(reading) && countersOf(reading).some((name) => fell.includes(name)),
    );
    expect(wrong.map(({ series: { id } }) => id)).toEqual([]);
  });

  test('are not a rate if their name is that of a state', () => {
    const wrong = series.flatMap(({ reading }) =>
      grows(reading)
        ? countersOf(reading).filter(
            (name) => STATE.test(name) && name in values && !COUNTS_ALL_THE_SAME.includes(name),
          )
        : [],
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(TARGETS.filter(({ monitoring }) => monitoring))('the rules of $kind', ({ kind }) => {
  const rules = rulesOf(kind);

  test('find server processes by names of the length that the kernel keeps', () => {
    const { monitoring, managed } = targetByKind(kind);
    const names = monitoring?.processes ?? managed?.programs ?? [];
    expect(names).toContain(PROCESSES[kind]);
    expect(names.filter((name) => name.length > 15)).toEqual([]);
  });

  test('are valid and mark main series', () => {
    for (const rule of rules) SeriesRule.parse(rule);
    expect(new Set(rules.filter(({ main }) => main).map(({ id }) => id)).size).toBeGreaterThanOrEqual(8);
    // Only one of several rules with the same id is used, so they must have the same meaning.
    const meanings = Map.groupBy(rules, ({ id }) => id);
    for (const [, same] of meanings)
      expect(new Set(same.map(({ means, lane, unit }) => `${means} ${lane} ${unit}`)).size).toBe(1);
  });

  test('with a label or a meaning match counters of a recorded server', () => {
    // There is no recording of a mongod: see the documentation of its rules.
    if (kind === 'mongodb') return;
    const names = RECORDED.filter((each) => each.kind === kind).flatMap(({ values }) => Object.keys(values));
    const has = (pattern: string): boolean => names.some((name) => instanceIn(pattern, name) !== undefined);
    const unlabelled = rules.filter(
      ({ reading, label, id }) => label !== id && !NOT_RECORDED.includes(id) && !countersOf(reading).some(has),
    );
    expect(unlabelled.map(({ id }) => id)).toEqual([]);
  });
});

test.each([
  ['8', 'queues.execution.read.available', 'queues.execution.read.normalPriority.queueLength'],
  ['7', 'wiredTiger.concurrentTransactions.read.available', 'wiredTiger.concurrentTransactions.read.queueLength'],
  ['6', 'wiredTiger.concurrentTransactions.read.available', 'globalLock.currentQueue.readers'],
])('tickets of MongoDB %s are identified together with their waiters', (_, free, queued) => {
  const names = [free, queued, 'globalLock.currentQueue.readers'];
  const found = seriesOf(rulesOf('mongodb'), names, () => undefined).filter(({ series: { means } }) => means);
  expect(found.map(({ series: { id, means }, reading }) => [id, means, reading])).toEqual([
    ['tickets.free.read', 'tickets-free', { kind: 'gauge', of: [free] }],
    ['tickets.queued.read', 'admission-waiters', { kind: 'gauge', of: [queued] }],
  ]);
});

describe.each(
  TARGETS.flatMap(({ kind, monitoring }) => (monitoring?.hostLines ? [{ kind, hostLines: monitoring.hostLines }] : [])),
)('an invalid line from the client of $kind', ({ hostLines }) => {
  const ODD = ['x', 'null', '[1]', '"x"', '1', '{', '{"a":', 'constructor\t1', '__proto__\t1\t2', '\t', ''];

  const whole = (row: string): string => `${row}\x1e${Buffer.byteLength(row) + 1}`;
  const ANSWERS = [
    'metrics.Query\t1',
    'Uptime\t5\x1esessions.query\t1',
    '{"connections":{"current":1}}',
    'kneepoint-part pg_stat_activity\x1ebackend_type\x1eclient backend\tactive\t\t\t1',
  ];

  test.each(ODD)('is not a sample, whether first or later: %j', (text) => {
    const read = hostLines();
    for (const line of [text, whole(text)]) expect(read(line)).toBeUndefined();
    expect(ANSWERS.map((row) => read(whole(row))).filter(Boolean)).not.toEqual([]);
    for (const line of [text, whole(text)]) expect(read(line)).toBeUndefined();
  });
});
