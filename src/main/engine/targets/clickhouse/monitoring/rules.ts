import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { gauge, gauges, MIB, rate, rates } from '../../sampling.ts';
import type { ASYNCHRONOUS, EVENTS, METRICS } from './names.ts';

const events = (...names: (typeof EVENTS)[number][]): string[] => names.map((name) => `events.${name}`);
const metrics = (...names: (typeof METRICS)[number][]): string[] => names.map((name) => `metrics.${name}`);
const asynchronous = (...names: (typeof ASYNCHRONOUS)[number][]): string[] =>
  names.map((name) => `asynchronous_metrics.${name}`);

const WORK: readonly SeriesRule[] = [
  rate('statements', 'statements', 'Queries', events('Query'), {
    digits: 1,
    main: true,
    means: 'statements',
    own: { direct: 1, onHost: 2 },
  }),
  rate('statements.select', 'statements', 'SELECT', events('SelectQuery'), { digits: 1, stack: 'commands' }),
  rate('statements.insert', 'statements', 'INSERT', events('InsertQuery'), { digits: 1, stack: 'commands' }),
  rate('statements.failed', 'statements', 'Failed queries', events('FailedQuery'), { digits: 1 }),
  rate('rows.read', 'statements', 'Rows read', events('SelectedRows'), { main: true, means: 'rows-read' }),
  rate('rows.written', 'statements', 'Rows inserted', events('InsertedRows'), { main: true, means: 'rows-written' }),
  rate('rows.read_mib_s', 'statements', 'Data read, uncompressed', events('SelectedBytes'), {
    unit: 'MiB/s',
    scale: MIB,
    digits: 1,
  }),
];

const CONNECTIONS = metrics('TCPConnection', 'HTTPConnection', 'MySQLConnection', 'PostgreSQLConnection');

const SESSIONS: readonly SeriesRule[] = [
  gauge('connections', 'connections', 'Connections', CONNECTIONS, { main: true, means: 'connections' }),
  gauge('running', 'connections', 'Running queries (including those of Kneepoint)', metrics('Query'), {
    main: true,
    means: 'running',
  }),
  gauge('locks.waiting', 'locks', 'Waiting for a table lock', metrics('RWLockWaitingReaders', 'RWLockWaitingWriters'), {
    means: 'lock-waiters',
  }),
  rate(
    'locks.wait_ms',
    'locks',
    'Table lock wait time',
    events('RWLockReadersWaitMilliseconds', 'RWLockWritersWaitMilliseconds'),
    { unit: 'ms/s', means: 'lock-wait-time' },
  ),
];

const PARTS: readonly SeriesRule[] = [
  gauge('parts.active', 'disk', 'Parts', metrics('PartsActive'), { main: true }),
  gauge('parts.outdated', 'disk', 'Outdated parts', metrics('PartsOutdated'), { means: 'to-remove' }),
  gauge('parts.most', 'disk', 'Most parts in a partition', asynchronous('MaxPartCountForPartition')),
  gauge('merges', 'disk', 'Running merges', metrics('Merge'), { main: true }),
  gauge('merges.pool', 'disk', 'Merge and mutation threads', metrics('BackgroundMergesAndMutationsPoolTask'), {
    limit: { of: 'metrics.BackgroundMergesAndMutationsPoolSize', words: 'size of the pool' },
  }),
  rate('merges.rows', 'disk', 'Rows merged', events('MergedRows')),
  rate('inserts.delayed', 'statements', 'Delayed inserts', events('DelayedInserts'), {
    digits: 2,
    main: true,
  }),
  rate('inserts.rejected', 'statements', 'Rejected inserts', events('RejectedInserts'), {
    digits: 2,
  }),
  rate('data.read_mib_s', 'disk', 'Read from disks by queries', events('OSReadBytes'), {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
    main: true,
  }),
  rate('data.written_mib_s', 'disk', 'Written to disks', events('OSWriteBytes'), {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
  }),
  rate('data.syncs', 'disk', 'fsyncs', events('FileSync'), { digits: 1 }),
  rate('data.sync_ms', 'disk', 'fsync time', events('FileSyncElapsedMicroseconds'), {
    unit: 'ms/s',
    scale: 1 / 1000,
  }),
  gauge('data.reading', 'disk', 'Running reads', metrics('Read'), { means: 'io-waiters' }),
];

const MEMORY: readonly SeriesRule[] = [
  gauge('memory.mib', 'memory', 'Tracked memory', metrics('MemoryTracking'), {
    unit: 'MiB',
    scale: MIB,
    main: true,
  }),
  {
    id: 'cache.hits',
    label: 'Mark cache hits',
    unit: '%',
    lane: 'cache',
    reading: { kind: 'share', of: events('MarkCacheHits'), whole: events('MarkCacheHits', 'MarkCacheMisses') },
    digits: 1,
    main: true,
    means: 'cache-hits',
    limit: { value: 100, words: 'every mark from memory' },
  },
  rate('cpu.waiting_ms', 'cpu', 'CPU wait time of queries', events('OSCPUWaitMicroseconds'), {
    unit: 'ms/s',
    scale: 1 / 1000,
  }),
  rate('cpu.used_ms', 'cpu', 'CPU time of queries', events('OSCPUVirtualTimeMicroseconds'), {
    unit: 'ms/s',
    scale: 1 / 1000,
  }),
];

/** All other counters, by their own names. Everything the server calls a metric is a gauge; its asynchronous time metrics cover their interval. */
const OTHERS: readonly SeriesRule[] = [
  ...gauges('own', ['metrics.*', 'asynchronous_metrics.*']),
  ...rates('statements', ['events.*']),
];

export const CLICKHOUSE_SERIES: readonly SeriesRule[] = [...WORK, ...SESSIONS, ...PARTS, ...MEMORY, ...OTHERS];
