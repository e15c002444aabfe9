import { describe, expect, test } from 'vitest';
import { boundOf, type WatchedSeries, type WatchedServer, watchedSeries } from '../../../shared/analysis/index.ts';
import type { Bound } from '../../../shared/model/analysis.ts';
import { derive, seriesOf } from '../../../shared/monitoring/index.ts';
import { targetByKind } from './index.ts';

const SECONDS = 60;
const t = Float64Array.from({ length: SECONDS + 1 }, (_, second) => second);

/** Figures reported by a server in each second of a run: constant values, and the growth of counters per second. */
interface ServerFigures {
  readonly gauges?: Readonly<Record<string, number>>;
  readonly counters?: Readonly<Record<string, number>>;
}

function serverOf(kind: string, { gauges = {}, counters = {} }: ServerFigures): WatchedServer {
  const columns = new Map([
    ...Object.entries(gauges).map(([name, value]) => [name, t.map(() => value)] as const),
    ...Object.entries(counters).map(([name, value]) => [name, t.map((second) => value * second)] as const),
  ]);
  const rules = targetByKind(kind).monitoring?.rules ?? [];
  const series = seriesOf(rules, [...columns.keys()], (name) => columns.get(name)?.at(-1)).map((each) =>
    watchedSeries(each.series, { t, v: derive(each.reading, t, columns) }),
  );
  return { name: kind, host: 'db1', series };
}

const ofHost = (id: string, value: number): WatchedSeries => ({
  ...{ id, rule: id, label: id, unit: '', t },
  v: t.map(() => value),
});

/** The limit of a run with this many clients on a server with 16 cores, from its CPU usage in percent, its run queue and its figures. */
function boundBy(
  kind: string,
  clients: number,
  cpu: readonly [busy: number, running: number],
  figures: ServerFigures,
): Bound {
  const [busy, running] = cpu;
  return boundOf({
    window: { from: 0, to: SECONDS },
    load: [{ host: 'load1', connections: clients }],
    hosts: [
      {
        ...{ name: 'db1', roles: ['server'], cores: 16 },
        series: [ofHost('cpu.busy', busy), ofHost('sys.running', running)],
      },
    ],
    servers: [serverOf(kind, figures)],
  });
}

const LOW = [12, 3] as const;

describe('MongoDB', () => {
  const queued = { 'globalLock.currentQueue.total': 372, 'connections.current': 505 };

  test('is not limited by locks because of operations queued for tickets while its CPU is saturated', () => {
    const bound = boundBy('mongodb', 500, [99, 90], {
      gauges: queued,
      counters: { 'locks.Global.timeAcquiringMicros.r': 0 },
    });
    expect(bound).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(bound.runnersUp).toEqual([]);
  });

  test('is limited by locks if operations spend their time waiting for them', () => {
    const bound = boundBy('mongodb', 500, LOW, {
      gauges: queued,
      counters: { 'locks.Collection.timeAcquiringMicros.W': 400e6 },
    });
    expect(bound).toMatchObject({ verdict: 'locks', host: 'db1' });
  });

  test('is not limited by its journal, which is synced in the background', () => {
    const bound = boundBy('mongodb', 1, LOW, {
      gauges: { 'connections.current': 5 },
      counters: { 'wiredTiger.log.log sync time duration (usecs)': 10 * 56_000 },
    });
    expect(bound).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(bound.notWatched).toContain('waits for the log');
  });
});

describe('MySQL from 8.0.30 on', () => {
  const capacity = 1024 ** 3;
  const filledTo = (percent: number): Bound =>
    boundBy('mysql', 64, LOW, {
      gauges: {
        Innodb_redo_log_logical_size: (percent / 100) * capacity,
        Innodb_redo_log_capacity_resized: capacity,
        Threads_connected: 65,
      },
    });

  test('is limited by its log if the redo log is filled to the limit of InnoDB', () => {
    // Sessions stop at 84.2 % of 1 GiB, and pages are flushed at full speed from 83.2 %.
    for (const percent of [83.2, 84.2, 89]) expect([percent, filledTo(percent).verdict]).toEqual([percent, 'log']);
    expect(filledTo(84.2).sentence).toContain('The log of mysql was full in every second: 100 % of its capacity');
  });

  test('is not limited by its log if flushing keeps up', () => {
    expect(filledTo(77)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
  });
});

describe('file time of a redo log', () => {
  const logMs = 'waits.wait/io/file/innodb/innodb_log_file.ms';
  const written = (clients: number, ms: number, committing?: number): Bound =>
    boundBy('mysql', clients, LOW, {
      gauges: { Threads_connected: clients + 1, ...(committing !== undefined && { 'sessions.Commit': committing }) },
      counters: { [logMs]: ms },
    });

  test('belongs to background threads if no session is committing', () => {
    expect(written(1, 600, 0)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(written(2, 1200)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
  });

  test('belongs to sessions if they are committing, or if it exceeds one session', () => {
    expect(written(1, 600, 1).sentence).toBe(
      'The only session of mysql waited for the log to be written 100 % of the time. A log written twice as fast would gain about 100 %.',
    );
    expect(written(4, 2600).sentence).toBe(
      '3 of 4 sessions of mysql waited for the log to be written, half or more of them in every second. A log written twice as fast would gain about 48.1 %.',
    );
  });
});

describe('PostgreSQL behind PgBouncer', () => {
  const pooled = { 'pgbouncer.pools.cl_waiting': 480, 'pgbouncer.pools.cl_active': 20 };

  test('is limited by locks if sessions with a connection wait for each other', () => {
    const bound = boundBy('postgres', 500, LOW, {
      gauges: { ...pooled, 'backends.client backend': 20, 'waits.Lock': 19, 'wait_event.LWLock.WALWrite': 0 },
    });
    expect(bound).toMatchObject({ verdict: 'locks', runnersUp: [{ verdict: 'pool' }] });
    expect(bound.notWatched.join()).not.toContain('locks');
    expect(bound.sentence).toMatch(/^19 of 20 sessions of postgres waited for locks/);
  });

  test('has no locks and log monitored if only the pooler reports', () => {
    const { verdict, notWatched } = boundBy('postgres', 500, LOW, { gauges: pooled });
    expect(verdict).toBe('pool');
    expect(notWatched).toContain('locks and log of the server');
  });
});
