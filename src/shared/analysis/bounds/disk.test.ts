import { describe, expect, it } from 'vitest';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { boundOf } from './index.ts';

describe('a disk that is always busy', () => {
  const disk = (queue: number, wait: number) => [
    watched('disk.*.utilisation', flat(99), { instance: 'nvme0n1' }),
    watched('disk.*.queue', flat(queue), { instance: 'nvme0n1' }),
    watched('disk.*.await_ms', flat(wait), { instance: 'nvme0n1' }),
  ];
  const of = (queue: number, wait: number, facts: object = {}) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [{ host: 'load1', connections: 64 }],
      hosts: [hostWith(disk(queue, wait), { devices: [{ name: 'nvme0n1', ...facts }] })],
      servers: [],
    }).verdict;

  it('is a limit only if most clients or each I/O wait for it', () => {
    expect(of(8, 0.1)).toBe('not-known');
    expect(of(40, 0.5)).toBe('disk');
    expect(of(8, 0.5, { baseAwaitMs: 0.1 })).toBe('disk');
    expect(of(8, 0.25, { baseAwaitMs: 0.1 })).toBe('not-known');
    expect(of(2, 8, { rotational: true })).toBe('disk');
  });

  it('is what a server’s sessions wait for only on the host of that server', () => {
    const waiters = watched('db.io-waiters', flat(60), { means: 'io-waiters' });
    const named = (host?: string) => {
      const { verdict, runnersUp } = boundOf({
        window: { from: 0, to: 60 },
        load: [{ host: 'load1', connections: 64 }],
        hosts: [hostWith(disk(8, 0.1)), hostWith(disk(8, 0.1), { name: 'load1', roles: ['generator'] })],
        servers: [{ name: 'mariadb', ...(host !== undefined && { host }), series: [waiters] }],
      });
      return [verdict, ...runnersUp.map(({ host }) => host)];
    };
    expect(named('db1')).toEqual(['disk']);
    expect(named('db2')).toEqual(['not-known']);
    expect(named()).toEqual(['disk', 'load1']);
  });
});

describe('a disk with a queue depth set by the tool', () => {
  const of = (queueDepth: number, queue: number, facts: object = {}) =>
    boundOf({
      window: { from: 0, to: 60 },
      queueDepth,
      load: [{ host: 'db1', connections: 1 }],
      hosts: [
        hostWith(
          [
            watched('disk.*.utilisation', flat(99), { instance: 'nvme0n1' }),
            watched('disk.*.queue', flat(queue), { instance: 'nvme0n1' }),
            watched('pressure.io.full', flat(95)),
          ],
          { devices: [{ name: 'nvme0n1', ...facts }] },
        ),
      ],
      servers: [],
    });

  it('is not at its limit at queue depth 1, unless it rotates or writes back later', () => {
    expect(of(1, 0.99).verdict).toBe('not-known');
    expect(of(1, 0.99).sentence).toContain('at queue depth 1; it could take more in parallel');
    expect(of(1, 0.99, { rotational: true }).verdict).toBe('disk');
    expect(of(1, 60).verdict).toBe('disk');
    expect(of(32, 31).verdict).toBe('disk');
  });
});

describe('a volume with paid limits', () => {
  const of = (iops: number, facts: object) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith([watched('disk.*.iops', flat(iops), { instance: 'sda' })], { devices: [{ words: 'gp2', ...facts }] }),
      ],
      servers: [],
    });

  it('is at its limit or its burst limit, and is a different disk if it does far more', () => {
    const gp2 = { iops: 300, burst: { iops: 3000 } };
    expect(of(290, gp2).sentence).toBe(
      'sda of db1 at the limit of gp2 in every second: 290 of 300 IOPS. The gain from twice the limit is unknown: no other possible bottleneck was watched.',
    );
    expect(of(2950, gp2).sentence).toContain('2,950 of its burst limit of 3,000 IOPS');
    for (const iops of [200, 1500, 9000]) expect([iops, of(iops, gp2).verdict]).toEqual([iops, 'not-known']);
  });
});
