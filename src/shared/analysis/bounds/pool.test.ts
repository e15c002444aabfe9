import { describe, expect, it } from 'vitest';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { boundOf } from './index.ts';

describe('connections', () => {
  interface PoolReadings {
    readonly count: number;
    readonly limit: number;
    readonly clients?: number;
    readonly refused?: number;
    readonly running?: number;
    readonly busy?: number;
    readonly pooler?: true;
  }
  const of = ({ count, limit, clients, refused = 0, running = 2, busy = 20, pooler }: PoolReadings) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: clients === undefined ? [] : [{ host: 'load1', connections: clients }],
      hosts: [hostWith([watched('cpu.busy', flat(busy))], { cores: 8 })],
      servers: [
        {
          name: 'mariadb',
          host: 'db1',
          series: [
            watched('connections', flat(count), {
              means: 'connections',
              limit: { value: limit, words: 'max_connections' },
            }),
            watched('refused', flat(refused), { means: 'refused' }),
            watched('running', flat(running), { means: 'running' }),
          ],
        },
        ...(pooler
          ? [{ name: 'pgbouncer', series: [watched('waiting', flat(0), { means: 'pool-waiters' as const })] }]
          : []),
      ],
    });

  it('are the limit if all are in use and some are refused or more clients need one', () => {
    const refused = of({ count: 99, limit: 100, refused: 12 });
    expect(refused).toMatchObject({ verdict: 'pool', host: 'db1', share: 1 });
    expect(refused.sentence).toBe(
      '99 of 100 connections of mariadb (max_connections) were in use, at least 95 of them in every second, and 12.0 connections/s were refused. Twice the connections could gain up to twice the throughput: no other watched resource was more than half busy.',
    );
    expect(of({ count: 97, limit: 100, clients: 256 }).sentence).toContain('and 256 clients needed one.');
    expect(of({ count: 101, limit: 100, refused: 12 }).sentence).toBe(
      'All 100 connections of mariadb (max_connections) were in use in every second, and 12.0 connections/s were refused. Twice the connections could gain up to twice the throughput: no other watched resource was more than half busy.',
    );
  });

  it('of a small server are all in use except for the reserved ones', () => {
    expect(of({ count: 16, limit: 20, clients: 64 }).verdict).toBe('pool');
    expect(of({ count: 15, limit: 20, clients: 64 }).verdict).toBe('not-known');
  });

  it('are no limit if many are idle, only others are refused, or a pool shares them', () => {
    expect(of({ count: 100, limit: 100, clients: 32 })).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of({ count: 40, limit: 100, refused: 12 }).verdict).toBe('not-known');
    expect(of({ count: 100, limit: 100, clients: 32, refused: 12, running: 30 }).verdict).toBe('not-known');
    expect(of({ count: 100, limit: 100, clients: 1000, pooler: true }).verdict).toBe('not-known');
  });

  it('are a runner-up if the server is busy', () => {
    expect(of({ count: 100, limit: 100, refused: 12, busy: 80 })).toMatchObject({
      verdict: 'not-known',
      runnersUp: [{ verdict: 'pool' }],
    });
  });
});

describe('queued requests', () => {
  const of = (waiting: number, free: number, lockMs = 0) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [{ host: 'load1', connections: 200 }],
      hosts: [hostWith([watched('cpu.busy', flat(20))], { cores: 8 })],
      servers: [
        {
          name: 'mongo',
          host: 'db1',
          series: [
            watched('tickets.free.read', flat(128), { means: 'tickets-free' }),
            watched('tickets.free.write', flat(free), { means: 'tickets-free' }),
            watched('tickets.queued.read', flat(0), { means: 'admission-waiters' }),
            watched('tickets.queued.write', flat(waiting), { means: 'admission-waiters' }),
            watched('locks.wait_ms', flat(lockMs), { means: 'lock-wait-time' }),
          ],
        },
      ],
    });

  it('are limited by tickets while none is free', () => {
    expect(of(120, 30).verdict).toBe('not-known');
    expect(of(120, 0)).toMatchObject({ verdict: 'pool', runnersUp: [] });
    expect(of(120, 0).sentence).toBe(
      '120 requests waited for a write ticket of mongo in every second, with none free. Twice the tickets could gain up to twice the throughput: no other watched resource was more than half busy.',
    );
  });

  it('wait for locks if no tickets are reported, with a thread pool as runner-up', () => {
    const boundFor = (id: string) =>
      boundOf({
        window: { from: 0, to: 60 },
        load: [{ host: 'load1', connections: 200 }],
        hosts: [hostWith([watched('cpu.busy', flat(20))], { cores: 8 })],
        servers: [
          {
            name: 'db',
            host: 'db1',
            series: [
              watched(id, flat(120), { means: 'admission-waiters' }),
              watched('locks.waiting', flat(150), { means: 'lock-waiters' }),
            ],
          },
        ],
      });
    expect(boundFor('tickets.queued.read')).toMatchObject({ verdict: 'locks', runnersUp: [] });
    expect(boundFor('connections.queued')).toMatchObject({ verdict: 'locks', runnersUp: [{ verdict: 'pool' }] });
    expect(boundFor('connections.queued').runnersUp[0]?.sentence).toBe(
      '120 or more requests waited for a thread in the pool of db in every second.',
    );
  });

  it('are sessions that wait to enter InnoDB', () => {
    const { verdict, sentence } = boundOf({
      window: { from: 0, to: 60 },
      load: [{ host: 'load1', connections: 16 }],
      hosts: [hostWith([watched('cpu.busy', flat(20))], { cores: 8 })],
      servers: [
        { name: 'db', host: 'db1', series: [watched('innodb.queued', flat(14), { means: 'admission-waiters' })] },
      ],
    });
    expect(verdict).toBe('pool');
    expect(sentence).toMatch(/^14 sessions waited to enter InnoDB of db \(innodb_thread_concurrency\) in every/);
  });

  it('wait for locks if the lock time shows it', () => {
    expect(of(120, 0, 120_000)).toMatchObject({ verdict: 'locks', runnersUp: [{ verdict: 'pool' }] });
  });
});
