import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { gauge, gauges, MIB, rate, rates } from '../../sampling.ts';
import { MONGO_GAUGES } from './gauges.ts';
import { COMMANDS } from './sample.ts';

const OPERATIONS = ['query', 'insert', 'update', 'delete', 'getmore', 'command'];
const cache = (name: string): string => `wiredTiger.cache.${name}`;

const WORK: readonly SeriesRule[] = [
  // FerretDB has no opcounters; it counts commands.
  ...[OPERATIONS.map((name) => `opcounters.${name}`), COMMANDS.map((name) => `metrics.commands.${name}.total`)].map(
    (of) =>
      rate('statements', 'statements', 'Operations', of, {
        main: true,
        means: 'statements',
        own: { direct: 1, onHost: 1 },
      }),
  ),
  ...OPERATIONS.map((name) =>
    rate(`operations.${name}`, 'statements', `Operations: ${name}`, [`opcounters.${name}`], { stack: 'operations' }),
  ),
  rate('transactions', 'statements', 'Transactions', ['transactions.totalCommitted', 'transactions.totalAborted'], {
    means: 'transactions',
  }),
  rate('rows.read', 'statements', 'Documents examined', ['metrics.queryExecutor.scannedObjects'], {
    main: true,
    means: 'rows-read',
  }),
  rate(
    'rows.written',
    'statements',
    'Documents written',
    ['inserted', 'updated', 'deleted'].map((what) => `metrics.document.${what}`),
    { main: true, means: 'rows-written' },
  ),
  rate('rows.conflicts', 'locks', 'Write conflicts', ['metrics.operation.writeConflicts'], { main: true }),
];

/** Since version 8, and before. */
const TICKETS = ['queues.execution', 'wiredTiger.concurrentTransactions'];

const SESSIONS: readonly SeriesRule[] = [
  gauge('connections', 'connections', 'Connections', ['connections.current'], { main: true, means: 'connections' }),
  gauge('running', 'connections', 'Active connections', ['connections.active'], {
    main: true,
    means: 'running',
  }),
  ...['read', 'write'].flatMap((what) =>
    TICKETS.flatMap((tickets) => {
      const place = `${tickets}.${what}`;
      return [
        gauge(`tickets.${what}`, 'connections', `Tickets in use, ${what}`, [`${place}.out`], {
          limit: { of: `${place}.totalTickets`, words: 'tickets' },
        }),
        gauge(`tickets.free.${what}`, 'connections', `Tickets free, ${what}`, [`${place}.available`], {
          means: 'tickets-free',
        }),
      ];
    }),
  ),
  // Since 8, in 7, and before; the last includes operations that wait for a lock.
  ...(
    [
      ['read', 'readers'],
      ['write', 'writers'],
    ] as const
  ).flatMap(([what, who]) =>
    [
      `queues.execution.${what}.normalPriority.queueLength`,
      `wiredTiger.concurrentTransactions.${what}.queueLength`,
      `globalLock.currentQueue.${who}`,
    ].map((name) =>
      gauge(`tickets.queued.${what}`, 'connections', `Operations queued for a ticket, ${what}`, [name], {
        means: 'admission-waiters',
      }),
    ),
  ),
];

const LOCKED = [
  'ParallelBatchWriterMode',
  'FeatureCompatibilityVersion',
  'ReplicationStateTransition',
  'Global',
  'Database',
  'Collection',
  'Metadata',
  'Mutex',
  'oplog',
];
const ofLocks = (what: string): string[] =>
  LOCKED.flatMap((kind) => ['r', 'w', 'R', 'W'].map((mode) => `locks.${kind}.${what}.${mode}`));

const LOCKS: readonly SeriesRule[] = [
  // It also counts operations that wait for a ticket, which queue whatever the limit is. It does not prove lock contention.
  gauge('locks.waiting', 'locks', 'Operations queued for locks or tickets', ['globalLock.currentQueue.total'], {
    main: true,
  }),
  rate('locks.waits', 'locks', 'Lock waits', ofLocks('acquireWaitCount'), { digits: 1, means: 'lock-waits' }),
  rate('locks.wait_ms', 'locks', 'Lock wait time', ofLocks('timeAcquiringMicros'), {
    unit: 'ms/s',
    scale: 1 / 1000,
    means: 'lock-wait-time',
  }),
  rate('locks.deadlocks', 'locks', 'Deadlocks', ofLocks('deadlockCount'), { digits: 2, means: 'deadlocks' }),
];

const CACHE: readonly SeriesRule[] = [
  {
    id: 'cache.hits',
    label: 'Cache hits',
    unit: '%',
    lane: 'cache',
    reading: {
      kind: 'share',
      of: [cache('pages requested from the cache')],
      less: [cache('pages read into cache')],
      whole: [cache('pages requested from the cache')],
    },
    digits: 2,
    main: true,
    means: 'cache-hits',
    limit: { value: 100, words: 'everything from the cache' },
  },
  rate('cache.misses', 'cache', 'Pages read into the cache', [cache('pages read into cache')], {
    main: true,
    means: 'cache-misses',
  }),
  {
    id: 'cache.dirty',
    label: 'Dirty bytes',
    unit: '%',
    lane: 'cache',
    reading: {
      kind: 'part',
      of: [cache('tracked dirty bytes in the cache')],
      whole: [cache('maximum bytes configured')],
    },
    digits: 1,
    main: true,
    means: 'cache-dirty',
    limit: { value: 20, words: 'default eviction_dirty_trigger' },
  },
  gauge('cache.used_mib', 'cache', 'Cache in use', [cache('bytes currently in the cache')], {
    unit: 'MiB',
    scale: MIB,
    limit: { of: cache('maximum bytes configured'), scale: MIB, words: 'cacheSizeGB' },
  }),
  rate('cache.evicted_by_operations', 'cache', 'Pages evicted by application threads', [
    cache('pages evicted by application threads'),
  ]),
];

const LOG: readonly SeriesRule[] = [
  rate('log.mib_s', 'log', 'Journal', ['wiredTiger.log.log bytes written'], {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
    main: true,
    means: 'log-mib',
  }),
  rate('log.syncs', 'log', 'Journal syncs', ['wiredTiger.log.log sync operations'], { means: 'log-syncs' }),
  // The journal is also synced in the background, ten times a second, so this is not time that operations have waited.
  rate('log.wait_ms', 'log', 'Journal sync time', ['wiredTiger.log.log sync time duration (usecs)'], {
    unit: 'ms/s',
    scale: 1 / 1000,
  }),
  ...['wiredTiger.checkpoint.currently running', 'wiredTiger.transaction.transaction checkpoint currently running'].map(
    (name) => gauge('log.checkpoint', 'log', 'Checkpoint running', [name]),
  ),
  rate('network.in_mib_s', 'network', 'Received', ['network.bytesIn'], { unit: 'MiB/s', scale: MIB, digits: 2 }),
  rate('network.out_mib_s', 'network', 'Sent', ['network.bytesOut'], { unit: 'MiB/s', scale: MIB, digits: 2 }),
  rate('data.read_mib_s', 'disk', 'Data files read', ['wiredTiger.block-manager.bytes read'], {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
  }),
  rate('data.written_mib_s', 'disk', 'Data files written', ['wiredTiger.block-manager.bytes written'], {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
  }),
  ...['reads', 'writes', 'commands', 'transactions'].map(
    (what): SeriesRule => ({
      id: `latency.${what}`,
      label: `Mean latency of ${what}`,
      unit: 'ms',
      lane: 'statements',
      reading: {
        kind: 'per',
        of: [`opLatencies.${what}.latency`],
        by: [`opLatencies.${what}.ops`],
        scale: 1 / 1000,
      },
      digits: 2,
    }),
  ),
];

/** All other counters, by their own names. */
const OTHERS: readonly SeriesRule[] = [
  ...gauges('own', MONGO_GAUGES),
  ...rates('statements', ['opcounters.*', 'metrics.*', 'opLatencies.*', 'transactions.*']),
  ...rates('locks', ['locks.*', 'globalLock.*', 'queues.*', 'wiredTiger.concurrentTransactions.*']),
  ...rates('cache', ['wiredTiger.cache.*']),
  ...rates('log', ['wiredTiger.log.*', 'wiredTiger.transaction.*', 'wiredTiger.checkpoint.*']),
  ...rates('disk', ['wiredTiger.*']),
  ...rates('connections', ['connections.*', 'network.*']),
  ...rates('own', ['*']),
];

export const MONGO_SERIES: readonly SeriesRule[] = [...WORK, ...SESSIONS, ...LOCKS, ...CACHE, ...LOG, ...OTHERS];
